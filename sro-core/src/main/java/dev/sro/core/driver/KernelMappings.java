package dev.sro.core.driver;

import com.google.re2j.Pattern;
import dev.sro.api.KernelVersion;
import dev.sro.api.Problem;
import dev.sro.api.resource.DriverBuild;
import dev.sro.api.resource.DriverSign;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.KernelMapping;
import dev.sro.api.resource.NamedValue;
import dev.sro.api.resource.RegistryTls;
import dev.sro.core.cel.CelException;
import dev.sro.core.cel.Re2;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which of the kernel mappings is for a kernel, and what comes of it and of the driver together: by the rules of Kernel Module
 * Management, field by field. Stateless.
 */
public final class KernelMappings {

    private KernelMappings() {}

    /**
     * A driver for one kernel; templates in it are as they were. Not to be changed.
     *
     * @param containerImage empty where neither names one
     * @param registryTls how safe the connection to the registry has to be
     * @param inTreeModulesToRemove modules of the kernel that are unloaded first
     * @param build null where neither has a build
     * @param sign null where neither has modules signed
     */
    public record Mapped(
            String containerImage,
            @Nullable RegistryTls registryTls,
            List<String> inTreeModulesToRemove,
            @Nullable DriverBuild build,
            @Nullable DriverSign sign) {}

    /**
     * The driver for a kernel. Without any mapping it is the same for all kernels.
     *
     * @throws DriverException if no mapping is for the kernel ({@code NoKernelMapping}), or a regular expression is none
     */
    public static Mapped map(DriverSpec driver, KernelVersion kernel) {
        if (driver.getKernelMappings().isEmpty()) {
            return merged(driver, new KernelMapping());
        }
        String name = KernelNames.matched(kernel);
        return merged(
                driver,
                find(driver.getKernelMappings(), name)
                        .orElseThrow(() -> new DriverException(Problem.user(
                                "NoKernelMapping",
                                "spec.driver.kernelMappings: none of them is for kernel " + name
                                        + "; add one whose literal or regexp fits, or leave the nodes out by"
                                        + " spec.nodeSelector"))));
    }

    /** The first in the list that fits; in each, the literal is looked at before the regular expression. */
    static Optional<KernelMapping> find(List<KernelMapping> mappings, String kernel) {
        for (int i = 0; i < mappings.size(); i++) {
            KernelMapping mapping = mappings.get(i);
            if (!mapping.getLiteral().isEmpty() && mapping.getLiteral().equals(kernel)) {
                return Optional.of(mapping);
            }
            if (!mapping.getRegexp().isEmpty()
                    && compiled("spec.driver.kernelMappings[" + i + "].regexp", mapping.getRegexp())
                            .matcher(kernel)
                            .find()) {
                return Optional.of(mapping);
            }
        }
        return Optional.empty();
    }

    static Pattern compiled(String field, String regexp) {
        try {
            return Re2.compile(regexp);
        } catch (CelException e) {
            throw DriverException.invalid(
                    field,
                    "\"" + regexp + "\" is no regular expression of RE2: " + e.getMessage()
                            + "; look-around and back references are not in it");
        }
    }

    private static Mapped merged(DriverSpec driver, KernelMapping mapping) {
        return new Mapped(
                first(mapping.getContainerImage(), driver.getContainerImage()),
                mapping.getRegistryTLS() != null ? mapping.getRegistryTLS() : driver.getRegistryTLS(),
                inTree(driver, mapping),
                build(driver.getBuild(), mapping.getBuild()),
                sign(driver.getSign(), mapping.getSign()));
    }

    private static String first(String one, String other) {
        return one.isEmpty() ? other : one;
    }

    private static List<String> inTree(DriverSpec driver, KernelMapping mapping) {
        String one = first(mapping.getInTreeModuleToRemove(), driver.getInTreeModuleToRemove());
        if (!one.isEmpty()) {
            return List.of(one);
        }
        List<String> own = mapping.getInTreeModulesToRemove();
        return List.copyOf(
                own != null ? own : Objects.requireNonNullElse(driver.getInTreeModulesToRemove(), List.of()));
    }

    private static @Nullable DriverBuild build(@Nullable DriverBuild common, @Nullable DriverBuild own) {
        if (common == null || own == null) {
            return common == null ? own : common;
        }
        DriverBuild merged = new DriverBuild();
        boolean ownFile =
                own.getDockerfileConfigMap() != null || !own.getDockerfile().isEmpty();
        merged.setDockerfileConfigMap(ownFile ? own.getDockerfileConfigMap() : common.getDockerfileConfigMap());
        merged.setDockerfile(ownFile ? own.getDockerfile() : common.getDockerfile());
        merged.setBuildArgs(arguments(common.getBuildArgs(), own.getBuildArgs()));
        merged.setSecrets(joined(common.getSecrets(), own.getSecrets()));
        // These are the driver's alone, as Kernel Module Management has it.
        merged.setBaseImageRegistryTLS(common.getBaseImageRegistryTLS());
        merged.setKanikoParams(common.getKanikoParams());
        merged.setSelector(common.getSelector());
        // And these it does not know.
        merged.setMethod(first(own.getMethod(), common.getMethod()));
        merged.setContainerImage(first(own.getContainerImage(), common.getContainerImage()));
        merged.setGit(own.getGit() != null ? own.getGit() : common.getGit());
        merged.setContextDir(first(own.getContextDir(), common.getContextDir()));
        merged.setSourceSecret(own.getSourceSecret() != null ? own.getSourceSecret() : common.getSourceSecret());
        merged.setTriggers(own.getTriggers().isEmpty() ? common.getTriggers() : own.getTriggers());
        merged.setResources(own.getResources() != null ? own.getResources() : common.getResources());
        merged.setBaseImage(first(own.getBaseImage(), common.getBaseImage()));
        merged.setDriverToolkit(own.getDriverToolkit() != null ? own.getDriverToolkit() : common.getDriverToolkit());
        merged.setPushSecret(own.getPushSecret() != null ? own.getPushSecret() : common.getPushSecret());
        merged.setTimeout(first(own.getTimeout(), common.getTimeout()));
        return merged;
    }

    /** The common ones in their order, replaced by name; what is left of the others behind them, sorted. */
    static List<NamedValue> arguments(List<NamedValue> common, List<NamedValue> own) {
        Map<String, NamedValue> others = new HashMap<>();
        own.forEach(argument -> others.put(argument.getName(), argument));
        TreeMap<String, NamedValue> unused = new TreeMap<>(others);
        List<NamedValue> merged = new ArrayList<>();
        for (NamedValue argument : common) {
            merged.add(others.getOrDefault(argument.getName(), argument));
            unused.remove(argument.getName());
        }
        merged.addAll(unused.values());
        return merged;
    }

    private static @Nullable DriverSign sign(@Nullable DriverSign common, @Nullable DriverSign own) {
        if (common == null || own == null) {
            return common == null ? own : common;
        }
        DriverSign merged = new DriverSign();
        merged.setUnsignedImage(first(own.getUnsignedImage(), common.getUnsignedImage()));
        merged.setKeySecret(own.getKeySecret() != null ? own.getKeySecret() : common.getKeySecret());
        merged.setCertSecret(own.getCertSecret() != null ? own.getCertSecret() : common.getCertSecret());
        merged.setFilesToSign(joined(common.getFilesToSign(), own.getFilesToSign()));
        merged.setUnsignedImageRegistryTLS(common.getUnsignedImageRegistryTLS());
        merged.setHash(first(own.getHash(), common.getHash()));
        merged.setSignImage(first(own.getSignImage(), common.getSignImage()));
        return merged;
    }

    private static <T> List<T> joined(List<T> common, List<T> own) {
        List<T> all = new ArrayList<>(common);
        all.addAll(own);
        return all;
    }
}

package dev.sro.core.driver;

import dev.sro.api.Problem;
import dev.sro.api.resource.DriverBuild;
import dev.sro.api.resource.DriverSign;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.KernelMapping;
import dev.sro.api.resource.Modprobe;
import dev.sro.api.resource.ModprobeArguments;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What can be wrong with {@code spec.driver} whatever the kernel is: the rules of Kernel Module Management's webhook. Stateless. */
public final class DriverChecks {

    private static final String DRIVER = "spec.driver";

    private final DriverSpec driver;
    private final List<Problem> problems = new ArrayList<>();

    private DriverChecks(DriverSpec driver) {
        this.driver = driver;
    }

    /** All that is wrong; empty when nothing is. */
    public static List<Problem> check(DriverSpec driver) {
        DriverChecks checks = new DriverChecks(driver);
        checks.images();
        checks.inTree();
        if (driver.getModprobe() != null) {
            checks.modprobe(driver.getModprobe());
        }
        checks.sign(DRIVER + ".sign", driver.getSign());
        checks.build(DRIVER + ".build", driver.getBuild());
        for (int i = 0; i < driver.getKernelMappings().size(); i++) {
            checks.mapping(
                    DRIVER + ".kernelMappings[" + i + "]",
                    driver.getKernelMappings().get(i));
        }
        return checks.problems;
    }

    private void refuse(boolean wrong, String field, String rule) {
        if (wrong) {
            problems.add(Problem.user("InvalidDriver", field + ": " + rule));
        }
    }

    private void images() {
        image(DRIVER + ".containerImage", driver.getContainerImage());
        String repository = driver.getRepository();
        refuse(
                !repository.isEmpty() && !driver.getContainerImage().isEmpty(),
                DRIVER + ".repository",
                "containerImage names the image already; remove one of them");
        refuse(
                !repository.isEmpty()
                        && !repository.matches(
                                "[A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?(/[a-z0-9]+([._-]+[a-z0-9]+)*)*"),
                DRIVER + ".repository",
                "\"" + repository + "\" is no repository; write REGISTRY/FOLDER/NAME without tag and digest");
        refuse(
                driver.getTags() != null && repository.isEmpty(),
                DRIVER + ".tags",
                "there is no repository to which tags belong; set spec.driver.repository");
        if (!driver.getPollEvery().isEmpty()) {
            try {
                refuse(
                        Durations.parse(DRIVER + ".pollEvery", driver.getPollEvery())
                                        .toSeconds()
                                < 30,
                        DRIVER + ".pollEvery",
                        "\"" + driver.getPollEvery() + "\" is too often for a registry; 30s or more");
            } catch (DriverException e) {
                problems.add(e.problem());
            }
        }
    }

    private void image(String field, String image) {
        refuse(
                !image.isEmpty() && !image.contains(":") && !image.contains("@"),
                field,
                "\"" + image + "\" has neither tag nor digest; add :TAG, for example :${KERNEL_FULL_VERSION}");
    }

    private void mapping(String field, KernelMapping mapping) {
        boolean literal = !mapping.getLiteral().isEmpty();
        boolean regexp = !mapping.getRegexp().isEmpty();
        refuse(literal && regexp, field, "literal and regexp exclude each other; remove one of them");
        refuse(!literal && !regexp, field, "neither literal nor regexp says for which kernel it is; set one of them");
        if (regexp) {
            try {
                KernelMappings.compiled(field + ".regexp", mapping.getRegexp());
            } catch (DriverException e) {
                problems.add(e.problem());
            }
        }
        refuse(
                mapping.getContainerImage().isEmpty()
                        && driver.getContainerImage().isEmpty()
                        && driver.getRepository().isEmpty(),
                field + ".containerImage",
                "there is no image for these kernels; set it here or in spec.driver.containerImage");
        image(field + ".containerImage", mapping.getContainerImage());
        boolean many = mapping.getInTreeModulesToRemove() != null;
        boolean one = !mapping.getInTreeModuleToRemove().isEmpty();
        refuse(
                (many && (one || !driver.getInTreeModuleToRemove().isEmpty()))
                        || (one && driver.getInTreeModulesToRemove() != null),
                field,
                "inTreeModulesToRemove and inTreeModuleToRemove exclude each other, also in driver and mapping; use"
                        + " inTreeModulesToRemove in both");
        sign(field + ".sign", mapping.getSign());
        build(field + ".build", mapping.getBuild());
    }

    private void inTree() {
        refuse(
                driver.getInTreeModulesToRemove() != null
                        && !driver.getInTreeModuleToRemove().isEmpty(),
                DRIVER + ".inTreeModuleToRemove",
                "inTreeModulesToRemove is there, too, and they exclude each other; use inTreeModulesToRemove");
    }

    private void modprobe(Modprobe modprobe) {
        String field = DRIVER + ".modprobe";
        boolean named = !modprobe.getModuleName().isEmpty();
        ModprobeArguments raw = modprobe.getRawArgs();
        boolean load = raw != null && !raw.getLoad().isEmpty();
        boolean unload = raw != null && !raw.getUnload().isEmpty();
        refuse(
                named && (load || unload),
                field + ".rawArgs",
                "rawArgs stand instead of moduleName; remove one of them");
        refuse(
                !named && !(load && unload),
                field + ".rawArgs",
                "without moduleName there have to be rawArgs both to load and to unload; set moduleName, or both");
        List<String> order = modprobe.getModulesLoadingOrder();
        if (order.isEmpty()) {
            return;
        }
        String list = field + ".modulesLoadingOrder";
        refuse(order.size() < 2, list, "an order has at least two modules; add them or remove it");
        refuse(!named, list, "an order needs moduleName; set it");
        refuse(
                named && !order.get(0).equals(modprobe.getModuleName()),
                list,
                "the first module has to be moduleName, \"" + modprobe.getModuleName() + "\", and is \"" + order.get(0)
                        + "\"");
        Set<String> seen = new HashSet<>();
        order.forEach(name -> refuse(!seen.add(name), list, "\"" + name + "\" is there twice; remove one"));
    }

    private void sign(String field, @Nullable DriverSign sign) {
        if (sign == null) {
            return;
        }
        refuse(sign.getFilesToSign().isEmpty(), field + ".filesToSign", "there is nothing to sign; name the files");
        String folder = directory(driver);
        sign.getFilesToSign()
                .forEach(file -> refuse(
                        !file.startsWith(folder + "/"),
                        field + ".filesToSign",
                        "\"" + file + "\" is not under " + folder + ", where modprobe looks; correct it, or"
                                + " spec.driver.modprobe.dirName"));
    }

    /** Where modules are in the image. */
    static String directory(DriverSpec driver) {
        Modprobe modprobe = driver.getModprobe();
        return modprobe == null || modprobe.getDirName().isEmpty() ? "/opt" : modprobe.getDirName();
    }

    private void build(String field, @Nullable DriverBuild build) {
        if (build == null) {
            return;
        }
        refuse(
                build.getDockerfileConfigMap() != null && !build.getDockerfile().isEmpty(),
                field + ".dockerfile",
                "dockerfileConfigMap has it already; remove one of them");
        refuse(
                Boolean.TRUE.equals(build.getDriverToolkit())
                        && !build.getBaseImage().isEmpty(),
                field + ".baseImage",
                "the driver toolkit is the base image; remove baseImage or driverToolkit");
        image(field + ".containerImage", build.getContainerImage());
        refuse(
                build.getGit() == null && !build.getContextDir().isEmpty(),
                field + ".contextDir",
                "there is no repository of which it is a directory; set git");
        refuse(
                build.getGit() == null && build.getSourceSecret() != null,
                field + ".sourceSecret",
                "there is no repository to read with it; set git");
        refuse(
                !build.getTriggers().isEmpty()
                        && !build.getMethod().isEmpty()
                        && !Set.of("Any", "BuildConfig").contains(build.getMethod()),
                field + ".triggers",
                "only a BuildConfig knows webhooks; remove them, or method " + build.getMethod());
    }
}

package dev.sro.core.driver;

import dev.sro.api.Pool;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidate.Kind;
import dev.sro.api.driver.RegistrySecurity;
import dev.sro.api.resource.DriverSpec;
import dev.sro.api.resource.LocalReference;
import dev.sro.api.resource.RegistryTls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The images that {@code spec.driver} names for one pool. For one use. */
final class SpecImages {

    private final TagCatalogue catalogue;
    private final RecipeContext context;
    private final String namespace;
    private final Pool pool;
    private final DriverSpec driver;
    private final KernelMappings.Mapped mapped;
    private final TreeSet<String> unknown = new TreeSet<>();

    SpecImages(
            TagCatalogue catalogue,
            RecipeContext context,
            String namespace,
            Pool pool,
            DriverSpec driver,
            KernelMappings.Mapped mapped) {
        this.catalogue = catalogue;
        this.context = context;
        this.namespace = namespace;
        this.pool = pool;
        this.driver = driver;
        this.mapped = mapped;
    }

    /** Whether it says which images at all; otherwise the plugin does. */
    static boolean isGiven(DriverSpec driver) {
        return !driver.getContainerImage().isEmpty()
                || !driver.getRepository().isEmpty()
                || !driver.getKernelMappings().isEmpty();
    }

    /** From where images may come, in this order. */
    static List<Kind> policy(DriverSpec driver, boolean makes) {
        String policy = driver.getImagePolicy();
        return switch (policy.isEmpty() ? (makes ? "PrebuiltThenBuild" : "Prebuilt") : policy) {
            case "Prebuilt" -> List.of(Kind.PREBUILT);
            case "Build" -> List.of(Kind.BUILD);
            case "CompileOnNode" -> List.of(Kind.COMPILE_ON_NODE);
            case "PrebuiltThenBuild" -> List.of(Kind.PREBUILT, Kind.BUILD);
            case "PrebuiltThenCompileOnNode" -> List.of(Kind.PREBUILT, Kind.COMPILE_ON_NODE);
            case "BuildThenCompileOnNode" -> List.of(Kind.BUILD, Kind.COMPILE_ON_NODE);
            case "PrebuiltThenBuildThenCompileOnNode" -> List.of(Kind.PREBUILT, Kind.BUILD, Kind.COMPILE_ON_NODE);
            default ->
                throw DriverException.invalid(
                        "spec.driver.imagePolicy",
                        "\"" + policy + "\" is no policy; write Prebuilt, Build, CompileOnNode, or an order of them as"
                                + " PrebuiltThenBuild");
        };
    }

    /** The candidates, best first. */
    List<ImageCandidate> candidates() {
        boolean makes = mapped.build() != null || mapped.sign() != null;
        Map<String, Kind> found = new TreeMap<>();
        List<String> order = new ArrayList<>();
        for (Kind kind : policy(driver, makes)) {
            if (kind == Kind.BUILD && !makes) {
                throw DriverException.invalid(
                        "spec.driver.imagePolicy",
                        "\"" + driver.getImagePolicy() + "\" has a build, and neither spec.driver.build nor the mapping"
                                + " for kernel " + pool.kernel() + " says how; add build");
            }
            String reference = reference(kind);
            Kind known = found.put(reference, kind);
            if (known == null) {
                order.add(reference);
            } else if (kind == Kind.COMPILE_ON_NODE) {
                throw DriverException.invalid(
                        "spec.driver.imagePolicy",
                        reference + " cannot have modules and compile on the node, too; set spec.driver.repository and"
                                + " tags, by which the two have different names");
            }
        }
        // The same name for what is found and for what is built means: build it if it is missing.
        return order.stream()
                .map(reference -> candidate(reference, found.getOrDefault(reference, Kind.PREBUILT)))
                .toList();
    }

    private ImageCandidate candidate(String reference, Kind kind) {
        ImageCandidate.Builder candidate = ImageCandidate.builder();
        candidate
                .reference(reference)
                .kind(kind)
                .security(security(mapped.registryTls()))
                .verifyKernel(Boolean.TRUE.equals(driver.getVerifyKernel()) && kind != Kind.COMPILE_ON_NODE)
                .addAllPullSecrets(pullSecrets(driver));
        return candidate.build();
    }

    private String reference(Kind kind) {
        boolean own = !mapped.containerImage().isEmpty();
        return switch (kind) {
            case PREBUILT -> own ? substituted(mapped.containerImage()) : byTag(TagCatalogue.Use.PREBUILT);
            case BUILD -> target(own);
            case COMPILE_ON_NODE ->
                driver.getRepository().isEmpty()
                        ? substituted(mapped.containerImage())
                        : byTag(TagCatalogue.Use.COMPILE_ON_NODE);
        };
    }

    private String target(boolean own) {
        if (mapped.build() != null && !mapped.build().getContainerImage().isEmpty()) {
            return substituted(mapped.build().getContainerImage());
        }
        return own ? substituted(mapped.containerImage()) : byTag(TagCatalogue.Use.BUILD);
    }

    private String byTag(TagCatalogue.Use use) {
        if (driver.getRepository().isEmpty()) {
            throw DriverException.invalid(
                    "spec.driver.containerImage",
                    "nothing names an image for kernel " + pool.kernel() + "; set it, or spec.driver.repository");
        }
        return TagTemplates.image(catalogue, driver, pool, context.cluster().openShiftVersion(), use);
    }

    private String substituted(String template) {
        Map<String, String> values = new TreeMap<>(TagVariables.collect(
                catalogue, pool, context.cluster().openShiftVersion(), driver.getVersion(), driver.getBranch()));
        values.putAll(KernelNames.variables(pool.kernel()));
        values.put("MOD_NAME", context.name());
        values.put("MOD_NAMESPACE", namespace);
        return EnvSubst.expand("spec.driver.containerImage", template, values, unknown);
    }

    /** Names in templates that stand for nothing. */
    List<String> warnings() {
        return unknown.isEmpty()
                ? List.of()
                : List.of("spec.driver: images have variables that nothing is known of and that were left out: "
                        + String.join(", ", unknown));
    }

    static List<String> pullSecrets(DriverSpec driver) {
        TreeSet<String> names = new TreeSet<>();
        driver.getPullSecrets().forEach(secret -> names.add(secret.getName()));
        LocalReference one = driver.getImageRepoSecret();
        if (one != null) {
            names.add(one.getName());
        }
        return List.copyOf(names);
    }

    static RegistrySecurity security(@Nullable RegistryTls tls) {
        if (tls != null && Boolean.TRUE.equals(tls.getInsecure())) {
            return RegistrySecurity.PLAIN;
        }
        boolean any = tls != null && Boolean.TRUE.equals(tls.getInsecureSkipTLSVerify());
        return any ? RegistrySecurity.UNCHECKED : RegistrySecurity.CHECKED;
    }
}

package dev.sro.plugins.solarflare;

import dev.sro.api.Pool;
import dev.sro.api.Problem;
import dev.sro.api.RecipeContext;
import dev.sro.api.driver.BuildPlan;
import dev.sro.api.driver.HostFile;
import dev.sro.api.driver.ImageCandidate;
import dev.sro.api.driver.ImageCandidates;
import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The modules: which image has them, how it is built, and how they are loaded. Stateless. */
final class OnloadDriver {

    /** Where vendor's images and SRO's Dockerfile have the files. */
    static final String USER_FILES = "/opt/onload";

    private OnloadDriver() {}

    static ImageCandidates images(OnloadConfig config, Pool pool) {
        return config.image(pool.kernel())
                .map(image -> ImageCandidates.of(ImageCandidate.of(
                        image.build().isPresent() ? ImageCandidate.Kind.BUILD : ImageCandidate.Kind.PREBUILT,
                        image.reference(pool.kernel()))))
                .orElseGet(() -> ImageCandidates.none(Problem.user(
                        "NoKernelMapping",
                        "spec.plugin.config.onload.kernelMappings: none is for kernel "
                                + pool.kernel().raw() + "; add one, or leave its nodes out with spec.nodeSelector")));
    }

    static Optional<BuildPlan> buildPlan(OnloadConfig config, RecipeContext context, Pool pool, ImageCandidate wanted) {
        return config.image(pool.kernel()).flatMap(KernelImage::build).map(build -> {
            Map<String, String> arguments = new LinkedHashMap<>(build.arguments());
            build.sourceImage().ifPresent(source -> {
                arguments.put("ONLOAD_SOURCE", source);
                arguments.put("OS_ID", pool.os().id());
                arguments.put("OS_VERSION", pool.os().version());
                arguments.putIfAbsent("ONLOAD_BUILD_PARAMS", "");
            });
            return BuildPlan.builder()
                    .dockerfile(build.dockerfileConfigMap().isPresent() ? "" : dockerfile())
                    .dockerfileConfigMap(build.dockerfileConfigMap())
                    .driverToolkit(context.cluster().isOpenShift())
                    .arguments(arguments)
                    .pushTo(wanted.reference())
                    .pushSecret(build.pushSecret())
                    .build();
        });
    }

    private static String dockerfile() {
        try (InputStream in =
                Objects.requireNonNull(OnloadDriver.class.getResourceAsStream("Dockerfile"), "Dockerfile")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** sfc, which is replaced, then what is on it; in reverse when they go. */
    static LoadPlan loadPlan(RecipeContext context, OnloadConfig config, Pool pool) {
        return LoadPlan.builder()
                .from(modules(config, pool))
                .barrier(Barriers.modules(context, config, pool))
                .build();
    }

    /** Another one for all that has the modules of a pool loaded anew: their image, their order, their parameters. */
    static String identity(OnloadConfig config, Pool pool) {
        StringBuilder text = new StringBuilder();
        config.image(pool.kernel()).ifPresent(image -> text.append(image.reference(pool.kernel())));
        LoadPlan plan = modules(config, pool);
        plan.modules()
                .forEach(module -> text.append('\n')
                        .append(module.name())
                        .append(' ')
                        .append(String.join(" ", module.parameters())));
        plan.hostFiles().forEach(file -> text.append('\n').append(file.target()));
        return Digests.compute(text.toString());
    }

    private static LoadPlan modules(OnloadConfig config, Pool pool) {
        boolean sfc = config.image(pool.kernel()).filter(KernelImage::sfc).isPresent();
        LoadPlan.Builder plan = LoadPlan.builder();
        for (String module : ConfigReader.MODULES) {
            if (sfc || !module.equals("sfc")) {
                plan.addModules(KernelModule.builder()
                        .name(module)
                        .parameters(parameters(config, module))
                        .build());
            }
        }
        if (sfc) {
            plan.addInTreeToRemove("sfc");
        }
        if (config.userImage().isEmpty()) {
            plan.addHostFiles(new HostFile(USER_FILES, config.devicePlugin().hostPath(), true));
        }
        return plan.build();
    }

    private static List<String> parameters(OnloadConfig config, String module) {
        List<String> given = config.parameters().getOrDefault(module, List.of());
        List<String> all = new ArrayList<>();
        if (module.equals("onload")) {
            // The kernel starts the server itself, in the file system of the node.
            config.controlPlane().ifPresent(words -> {
                add(all, given, "cplane_server_path", config.devicePlugin().hostPath() + "/sbin/onload_cp_server");
                if (!words.isEmpty()) {
                    add(all, given, "cplane_server_params", words);
                }
            });
            if (config.controlPlane().isEmpty()) {
                add(all, given, "cplane_spawn_server", "0");
            }
        }
        all.addAll(given);
        return all;
    }

    /** What the user says of it wins. */
    private static void add(List<String> all, List<String> given, String name, String value) {
        if (given.stream().noneMatch(parameter -> parameter.startsWith(name + "="))) {
            all.add(name + "=" + value);
        }
    }
}

package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.OsRelease;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.Marks;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SimpleKmodPluginTest {

    /** Suffix of the kernel on RHEL. */
    private static final String RHEL = "79de22ce8656333";

    /** Suffix of the same kernel on RHEL CoreOS, as SRO has always computed it. */
    private static final String RHCOS = "731161ceb1b6bbad";

    private final Rendered onKubernetes = Rendered.onKubernetes(Map.of(), Rendered.USUAL_SET);
    private final Rendered onOpenShift = Rendered.onOpenShift();
    private final String ubuntu = onKubernetes.names().stream()
            .filter(name -> name.startsWith("Job ") && !name.endsWith(RHEL))
            .findFirst()
            .map(name -> name.substring(name.lastIndexOf('-') + 1))
            .orElse("none");

    @Test
    void rendersEveryStateForEachKernelWithoutAProblem() {
        assertThat(Stream.of(onKubernetes, onOpenShift).flatMap(r -> r.states().stream()))
                .hasSize(6)
                .allSatisfy(state -> assertThat(state.problems()).isEmpty());
    }

    @Test
    void buildsOnKubernetesWithAJobForEachKernel() {
        assertThat(onKubernetes.names())
                .containsExactly(
                        "ConfigMap simple-kmod-driver-build",
                        "Job simple-kmod-driver-build-" + RHEL,
                        "Job simple-kmod-driver-build-" + ubuntu,
                        "ServiceAccount simple-kmod-driver-container",
                        "DaemonSet simple-kmod-driver-container-" + RHEL,
                        "DaemonSet simple-kmod-driver-container-" + ubuntu,
                        "DaemonSet simple-kmod-validation-" + RHEL,
                        "DaemonSet simple-kmod-validation-" + ubuntu);
    }

    @Test
    void buildsOnOpenShiftWithABuildConfigForEachKernelAndOneImageStream() {
        assertThat(onOpenShift.names())
                .containsExactly(
                        "ImageStream simple-kmod-driver-container",
                        "BuildConfig simple-kmod-driver-build-" + RHEL,
                        "BuildConfig simple-kmod-driver-build-" + ubuntu,
                        "ServiceAccount simple-kmod-driver-container",
                        "Role simple-kmod-driver-container",
                        "RoleBinding simple-kmod-driver-container",
                        "DaemonSet simple-kmod-driver-container-" + RHEL,
                        "DaemonSet simple-kmod-driver-container-" + ubuntu,
                        "DaemonSet simple-kmod-validation-" + RHEL,
                        "DaemonSet simple-kmod-validation-" + ubuntu);
    }

    @Test
    void pushesTheImageThatTheDriverContainerAndTheValidationRun() {
        String image = "localhost:32000/drivers/simple-kmod-driver-container:v5.15.0-91-generic-" + ubuntu;

        assertThat(args("simple-kmod-driver-build-" + ubuntu))
                .contains("--output=type=image,name=" + image + ",push=true")
                .contains("--opt=build-arg:KVER=5.15.0-91-generic+")
                .contains("--opt=build-arg:OS_ID=ubuntu", "--opt=build-arg:OS_VERSION=22.04")
                .contains("--opt=build-arg:MAKE_ARGS=KMODVER=SRO")
                .contains("--opt=build-arg:GIT_URI=https://git.example.com/simple-kmod.git")
                .contains("--opt=build-arg:GIT_REF=main");
        assertThat(container(onKubernetes, "driver-container", "containers")).containsEntry("image", image);
        assertThat(container(onKubernetes, "validation", "initContainers")).containsEntry("image", image);
        assertThat(container(onKubernetes, "validation", "containers")).containsEntry("image", image);
    }

    @Test
    void takesTheRegistryFromTheConfig() {
        Rendered rendered = Rendered.onKubernetes(Map.of("registry", "registry.example.com/a"), Rendered.USUAL_SET);

        assertThat(container(rendered, "driver-container", "containers"))
                .containsEntry(
                        "image",
                        "registry.example.com/a/drivers/simple-kmod-driver-container:v5.14.0-427.50.1.el9_4.x86_64-"
                                + RHEL);
    }

    @Test
    void writesToAnImageStreamOfTheClusterOnOpenShift() {
        KubeObject build = onOpenShift.get("BuildConfig", "simple-kmod-driver-build-" + RHEL);

        assertThat(build.map("spec", "output", "to"))
                .containsEntry("name", "simple-kmod-driver-container:v5.14.0-427.50.1.el9_4.x86_64-" + RHEL);
        assertThat(container(onOpenShift, "driver-container", "containers").get("image"))
                .isEqualTo("image-registry.openshift-image-registry.svc:5000/drivers/"
                        + "simple-kmod-driver-container:v5.14.0-427.50.1.el9_4.x86_64-" + RHEL);
        assertThat(onOpenShift
                        .get("RoleBinding", "simple-kmod-driver-container")
                        .maps("subjects"))
                .singleElement()
                .satisfies(subject -> assertThat(subject).containsEntry("namespace", "drivers"));
    }

    @Test
    void twoArchitecturesWithOneKernelStringDoNotPushOneTag() {
        Rendered rendered = Rendered.of(
                Rendered.KUBERNETES,
                Map.of(),
                Rendered.USUAL_SET,
                Rendered.node("amd", "5.15.0-91-generic", new OsRelease("ubuntu", "22.04"), "amd64"),
                Rendered.node("arm", "5.15.0-91-generic", new OsRelease("ubuntu", "22.04"), "arm64"));

        assertThat(rendered.objects()
                        .filter(object -> object.ref().kind().equals("Job"))
                        .map(job -> job.maps("spec", "template", "spec", "containers")
                                .get(0)
                                .getOrDefault("args", List.of())
                                .toString()
                                .replaceFirst(".*,name=([^,]+),.*", "$1")))
                .hasSize(2)
                .doesNotHaveDuplicates();
        assertThat(rendered.states())
                .allSatisfy(state -> assertThat(state.problems()).isEmpty());
    }

    @Test
    void buildsInTheDriverToolkitThatTheConfigNames() {
        Rendered rendered = Rendered.of(
                Rendered.OPENSHIFT,
                Map.of("driverToolkit", "quay.example/dtk@sha256:" + "a".repeat(64)),
                Rendered.USUAL_SET,
                Rendered.node("a", "5.14.0-427.50.1.el9_4.x86_64", new OsRelease("rhcos", "9.4"), "amd64"));

        assertThat(dockerfile(rendered, RHCOS)).startsWith("FROM quay.example/dtk@sha256:aaaa");
        assertThat(dockerfile(onOpenShift, RHEL))
                .startsWith("FROM image-registry.openshift-image-registry.svc:5000/openshift/driver-toolkit:latest AS");
    }

    private static String dockerfile(Rendered rendered, String suffix) {
        return String.valueOf(rendered.get("BuildConfig", "simple-kmod-driver-build-" + suffix)
                .map("spec", "source")
                .get("dockerfile"));
    }

    /** What BuildKit documents of stages: arguments before the first FROM hold in FROM alone, others from where they stand. */
    @Test
    void everyStageDeclaresTheArgumentsThatItUses() {
        String dockerfile = String.valueOf(onKubernetes
                .get("ConfigMap", "simple-kmod-driver-build")
                .map("data")
                .get("Dockerfile"));
        Map<String, Set<String>> known = new HashMap<>();
        String[] stages = dockerfile.split("(?m)^(?=FROM )");
        Set<String> global = matches("(?m)^ARG (\\w+)", stages[0]);
        for (int i = 1; i < stages.length; i++) {
            String[] parts = stages[i].split("\n", 2);
            assertThat(global).containsAll(matches("\\$(\\w+)", parts[0]));
            String base = parts[0].split(" ", -1)[1];
            Set<String> declared = new HashSet<>(matches("(?m)^ARG (\\w+)", parts[1]));
            declared.addAll(base.startsWith("$") ? Set.of("KVER") : known.getOrDefault(base, Set.of()));
            if (parts[0].contains(" AS ")) {
                known.put(parts[0].replaceFirst(".* AS ", ""), declared);
            }
            assertThat(declared).as(stages[i]).containsAll(matches("\\$(\\w+)", parts[1]));
        }
        assertThat(known).containsKeys("ubuntu", "rhel", "rhcos", "rocky", "almalinux", "builder");
        assertThat(known.entrySet())
                .allSatisfy(
                        stage -> assertThat(stage.getValue()).as(stage.getKey()).contains("KVER"));
    }

    private static Set<String> matches(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    @Test
    void pinsEveryWorkloadToTheKernelsNodes() {
        List<KubeObject> affine = onKubernetes
                .objects()
                .filter(object -> object.annotation(Marks.POOL).isPresent())
                .toList();

        assertThat(affine)
                .hasSize(6)
                .allSatisfy(object -> assertThat(object.map("spec", "template", "spec", "nodeSelector"))
                        .containsKey(Marks.KERNEL_LABEL));
    }

    @Test
    void loadsAndUnloadsTheModulesAndProvesThemWithoutPrivileges() {
        Map<String, Object> driver = container(onKubernetes, "driver-container", "containers");
        Map<String, Object> proof = container(onKubernetes, "validation", "initContainers");

        assertThat(driver.get("env"))
                .isEqualTo(List.of(Map.of("name", "MODULES", "value", "simple-kmod simple-procfs-kmod")));
        assertThat(driver.get("lifecycle")).asString().contains("modprobe -v -a", "modprobe -r -v -a");
        assertThat(driver).containsEntry("securityContext", Map.of("privileged", true));
        assertThat(proof.get("env")).isEqualTo(driver.get("env"));
        assertThat(proof.get("command")).asString().contains("/proc/modules");
        assertThat(proof.get("securityContext"))
                .asString()
                .contains("runAsNonRoot=true")
                .doesNotContain("privileged");
    }

    @Test
    void needsNeitherModuleNamesNorBuildArguments() {
        Rendered rendered = Rendered.onKubernetes(Map.of(), Map.of());

        assertThat(container(rendered, "driver-container", "containers").get("env"))
                .isEqualTo(List.of(Map.of("name", "MODULES", "value", "simple-kmod simple-procfs-kmod")));
        assertThat(rendered.states())
                .allSatisfy(state -> assertThat(state.problems()).isEmpty());
    }

    private List<String> args(String job) {
        Map<String, Object> container = onKubernetes
                .get("Job", job)
                .maps("spec", "template", "spec", "containers")
                .get(0);
        return ((List<?>) container.getOrDefault("args", List.of()))
                .stream().map(String::valueOf).toList();
    }

    /** The container of the DaemonSet for the Ubuntu kernel, or for the other one where there is no such. */
    private Map<String, Object> container(Rendered rendered, String name, String list) {
        String suffix = rendered.equals(onKubernetes) ? ubuntu : RHEL;
        return rendered.get("DaemonSet", "simple-kmod-" + name + "-" + suffix)
                .maps("spec", "template", "spec", list)
                .get(0);
    }
}

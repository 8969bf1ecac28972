package dev.sro.plugins.simplekmod;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.OsRelease;
import dev.sro.testkit.contract.RenderedPlugin;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SimpleKmodPluginTest {

    /** Suffix of the kernel on RHEL. */
    private static final String RHEL = "79de22ce8656333";

    /** Suffix of the same kernel on RHEL CoreOS, as SRO has always computed it. */
    private static final String RHCOS = "731161ceb1b6bbad";

    private final RenderedPlugin onKubernetes = Kmod.onKubernetes(Map.of(), Kmod.USUAL_SET);
    private final RenderedPlugin onOpenShift = Kmod.onOpenShift();
    private final String ubuntu = onKubernetes.names().stream()
            .filter(name -> name.startsWith("Job ") && !name.endsWith(RHEL))
            .findFirst()
            .map(name -> name.substring(name.lastIndexOf('-') + 1))
            .orElse("none");

    @Test
    void rendersEveryStateForEachKernelWithoutAProblem() {
        assertThat(Stream.of(onKubernetes, onOpenShift))
                .allSatisfy(rendered -> assertThat(rendered.objects()).isNotEmpty())
                .allSatisfy(rendered -> assertThat(rendered.problems()).isEmpty());
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
                .contains(
                        "--opt=build-arg:FAMILY=ubuntu",
                        "--opt=build-arg:OS_VERSION=22.04",
                        "--opt=build-arg:OS_MAJOR=22")
                .contains("--opt=build-arg:MAKE_ARGS=KMODVER=SRO")
                .contains("--opt=build-arg:GIT_URI=https://git.example.com/simple-kmod.git")
                .contains("--opt=build-arg:GIT_REF=main");
        assertThat(container(onKubernetes, "driver-container", "containers")).containsEntry("image", image);
        assertThat(container(onKubernetes, "validation", "initContainers")).containsEntry("image", image);
        assertThat(container(onKubernetes, "validation", "containers")).containsEntry("image", image);
    }

    @Test
    void takesTheRegistryFromTheConfig() {
        RenderedPlugin rendered = Kmod.onKubernetes(Map.of("registry", "registry.example.com/a"), Kmod.USUAL_SET);

        assertThat(container(rendered, "driver-container", "containers"))
                .containsEntry(
                        "image",
                        "registry.example.com/a/drivers/simple-kmod-driver-container:v5.14.0-427.50.1.el9_4.x86_64-"
                                + RHEL);
    }

    @Test
    void writesToAnImageStreamOfTheClusterOnOpenShift() {
        GenericKubernetesResource build = onOpenShift.get("BuildConfig", "simple-kmod-driver-build-" + RHEL);

        assertThat(map(build, "spec", "output", "to"))
                .containsEntry("name", "simple-kmod-driver-container:v5.14.0-427.50.1.el9_4.x86_64-" + RHEL);
        assertThat(container(onOpenShift, "driver-container", "containers").get("image"))
                .isEqualTo("image-registry.openshift-image-registry.svc:5000/drivers/"
                        + "simple-kmod-driver-container:v5.14.0-427.50.1.el9_4.x86_64-" + RHEL);
        assertThat(map(onOpenShift.get("RoleBinding", "simple-kmod-driver-container"), "subjects", 0))
                .containsEntry("namespace", "drivers");
    }

    @Test
    void twoArchitecturesWithOneKernelStringDoNotPushOneTag() {
        RenderedPlugin rendered = Kmod.of(
                Kmod.KUBERNETES,
                Map.of(),
                Kmod.USUAL_SET,
                Kmod.node("amd", "5.15.0-91-generic", new OsRelease("ubuntu", "22.04"), "amd64"),
                Kmod.node("arm", "5.15.0-91-generic", new OsRelease("ubuntu", "22.04"), "arm64"));

        assertThat(rendered.objects().stream()
                        .filter(object -> object.getKind().equals("Job"))
                        .map(job -> map(job, "spec", "template", "spec", "containers", 0)
                                .getOrDefault("args", List.of())
                                .toString()
                                .replaceFirst(".*,name=([^,]+),.*", "$1")))
                .hasSize(2)
                .doesNotHaveDuplicates();
        assertThat(rendered.problems()).isEmpty();
    }

    @Test
    void buildsInTheDriverToolkitThatTheConfigNames() {
        RenderedPlugin rendered = Kmod.of(
                Kmod.OPENSHIFT,
                Map.of("driverToolkit", "quay.example/dtk@sha256:" + "a".repeat(64)),
                Kmod.USUAL_SET,
                Kmod.node("a", "5.14.0-427.50.1.el9_4.x86_64", new OsRelease("rhcos", "9.4"), "amd64"));

        assertThat(dockerfile(rendered, RHCOS)).startsWith("FROM quay.example/dtk@sha256:aaaa");
        assertThat(dockerfile(onOpenShift, RHEL))
                .startsWith("FROM image-registry.openshift-image-registry.svc:5000/openshift/driver-toolkit:latest AS");
    }

    @Test
    void buildsEachKernelInTheDriverToolkitThatHasIt() {
        RenderedPlugin rendered = Kmod.withToolkits(
                Map.of("5.14.0-427.50.1.el9_4.x86_64", "quay.example/dtk:9.4"),
                Kmod.node("a", "5.14.0-427.50.1.el9_4.x86_64", new OsRelease("rhcos", "9.4"), "amd64"));

        assertThat(dockerfile(rendered, RHCOS)).startsWith("FROM quay.example/dtk:9.4 AS builder");
    }

    private static String dockerfile(RenderedPlugin rendered, String suffix) {
        return rendered.get("BuildConfig", "simple-kmod-driver-build-" + suffix).get("spec", "source", "dockerfile");
    }

    /** What BuildKit documents of stages: arguments before the first FROM hold in FROM alone, others from where they stand. */
    @Test
    void everyStageDeclaresTheArgumentsThatItUses() {
        String dockerfile =
                onKubernetes.get("ConfigMap", "simple-kmod-driver-build").get("data", "Dockerfile");
        Map<String, Set<String>> known = new HashMap<>();
        String[] stages = dockerfile.split("(?m)^(?=FROM )");
        Set<String> global = matches("(?m)^ARG (\\w+)", stages[0]);
        for (int i = 1; i < stages.length; i++) {
            String[] parts = stages[i].split("\n", 2);
            assertThat(global).containsAll(matches("\\$(\\w+)", parts[0]));
            String base = parts[0].split(" ", -1)[1];
            Set<String> declared = new HashSet<>(matches("(?m)^ARG (\\w+)", parts[1]));
            declared.addAll(known.getOrDefault(base, Set.of()));
            declared.addAll(matches("\\b([a-z]+)=", parts[1]));
            declared.addAll(matches("\\bfor ([a-z]+) in", parts[1]));
            if (parts[0].contains(" AS ")) {
                known.put(parts[0].replaceFirst(".* AS ", ""), declared);
            }
            assertThat(declared).as(stages[i]).containsAll(matches("\\$(\\w+)", parts[1]));
        }
        assertThat(known)
                .containsOnlyKeys(
                        "sro-debian",
                        "sro-ubuntu",
                        "sro-rhel",
                        "sro-centos",
                        "sro-fedora",
                        "sro-oracle",
                        "sro-amazon",
                        "sro-suse",
                        "builder");
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
        List<GenericKubernetesResource> affine = onKubernetes.objects().stream()
                .filter(object -> object.getMetadata().getAnnotations().containsKey("sro.dev/pool"))
                .toList();

        assertThat(affine)
                .hasSize(6)
                .allSatisfy(object -> assertThat(map(object, "spec", "template", "spec", "nodeSelector"))
                        .containsKey("feature.node.kubernetes.io/kernel-version.full"));
    }

    @Test
    void loadsAndUnloadsTheModulesAndProvesThemWithoutPrivileges() {
        Map<String, Object> driver = container(onKubernetes, "driver-container", "containers");
        Map<String, Object> proof = container(onKubernetes, "validation", "initContainers");

        assertThat(driver.get("env"))
                .isEqualTo(List.of(Map.of("name", "MODULES", "value", "simple-kmod simple-procfs-kmod")));
        assertThat(driver.get("args")).asString().contains("trap 'exit 0' TERM", "modprobe -v -a");
        assertThat(driver.get("lifecycle")).asString().contains("modprobe -r -v -a");
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
        RenderedPlugin rendered = Kmod.onKubernetes(Map.of(), Map.of());

        assertThat(container(rendered, "driver-container", "containers").get("env"))
                .isEqualTo(List.of(Map.of("name", "MODULES", "value", "simple-kmod simple-procfs-kmod")));
        assertThat(rendered.problems()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "debian,12,debian",
        "fedora,42,fedora",
        "centos,9,centos",
        "sles,15.6,suse",
        "ol,9.4,oracle",
        "amzn,2023,amazon",
        "rocky,9.4,rhel"
    })
    void entersTheStageOfTheSystemsFamily(String system, String version, String family) {
        RenderedPlugin rendered = Kmod.of(
                Kmod.KUBERNETES,
                Map.of(),
                Kmod.USUAL_SET,
                Kmod.node("a", "6.1.0-50-cloud-amd64", new OsRelease(system, version), "amd64"));

        assertThat(rendered.problems()).isEmpty();
        assertThat(rendered.objects().stream()
                        .filter(object -> object.getKind().equals("Job"))
                        .map(job -> String.valueOf(map(job, "spec", "template", "spec", "containers", 0))))
                .singleElement()
                .asString()
                .contains("--opt=build-arg:FAMILY=" + family + ",");
        assertThat((String)
                        rendered.get("ConfigMap", "simple-kmod-driver-build").get("data", "Dockerfile"))
                .contains(" AS sro-" + family + "\n", "FROM sro-$FAMILY AS builder");
    }

    @Test
    void aSystemThatNoStageIsForIsAProblemOfItsPool() {
        RenderedPlugin rendered = Kmod.of(
                Kmod.KUBERNETES,
                Map.of(),
                Kmod.USUAL_SET,
                Kmod.node("a", "6.1.77-flatcar", new OsRelease("flatcar", "3815.2.0"), "amd64"),
                Kmod.node("b", "6.1.0-50-cloud-amd64", new OsRelease("debian", "12"), "amd64"));

        assertThat(rendered.problems())
                .isNotEmpty()
                .allSatisfy(problem -> assertThat(problem.toString()).contains("\"flatcar\"", "spec.driver.build"));
        assertThat(rendered.names())
                .anyMatch(name -> name.startsWith("Job "))
                .noneMatch(name -> name.contains("flatcar"));
    }

    @Test
    void keepsTheCacheWhereAClaimIsNamedAndAsksForNoSecretThatNobodyNames() {
        RenderedPlugin claimed =
                Kmod.onKubernetes(Map.of("cacheClaim", "build-cache", "pushSecret", "login"), Kmod.USUAL_SET);
        Map<String, Object> job =
                map(claimed.get("Job", "simple-kmod-driver-build-" + ubuntu), "spec", "template", "spec");

        assertThat(job.get("volumes"))
                .asString()
                .contains("persistentVolumeClaim={claimName=build-cache}", "secretName=login");
        assertThat(job.get("containers")).asString().contains("subPath=" + ubuntu);
        assertThat(claimed.get("ServiceAccount", "simple-kmod-driver-container").toString())
                .contains("login");
        assertThat(onKubernetes
                        .get("ServiceAccount", "simple-kmod-driver-container")
                        .getAdditionalProperties())
                .doesNotContainKey("imagePullSecrets");
    }

    private List<String> args(String job) {
        Map<String, Object> container = map(onKubernetes.get("Job", job), "spec", "template", "spec", "containers", 0);
        return ((List<?>) container.getOrDefault("args", List.of()))
                .stream().map(String::valueOf).toList();
    }

    /** The container of the DaemonSet for the Ubuntu kernel, or for the other one where there is no such. */
    private Map<String, Object> container(RenderedPlugin rendered, String name, String list) {
        String suffix = rendered.equals(onKubernetes) ? ubuntu : RHEL;
        return map(
                rendered.get("DaemonSet", "simple-kmod-" + name + "-" + suffix), "spec", "template", "spec", list, 0);
    }

    private static Map<String, Object> map(GenericKubernetesResource object, Object... path) {
        return Objects.requireNonNull(object.get(path));
    }
}

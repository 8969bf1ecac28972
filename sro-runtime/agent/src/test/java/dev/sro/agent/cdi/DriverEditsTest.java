package dev.sro.agent.cdi;

import static dev.sro.agent.cdi.DriverTree.ARM;
import static dev.sro.agent.cdi.DriverTree.DEBIAN;
import static dev.sro.agent.cdi.DriverTree.RED_HAT;
import static dev.sro.agent.cdi.DriverTree.VERSION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.device.Gpu;
import dev.sro.agent.device.GpuMode;
import dev.sro.agent.device.PciAddress;
import dev.sro.agent.file.LocalDisk;
import dev.sro.agent.slice.ClaimRef;
import dev.sro.agent.slice.Holding;
import dev.sro.agent.slice.Place;
import dev.sro.agent.slice.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What containers get of the driver, from roots as distributions and driver containers have them. */
class DriverEditsTest {
    private static final String HOOK = "/usr/local/nvidia/toolkit/nvidia-cdi-hook";
    private static final Path CONTAINER_DRIVER = Path.of("/run/nvidia/driver");
    private static final Path HOST = Path.of("/");

    private final List<String> warnings = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final AtomicReference<String> version = new AtomicReference<>(VERSION);

    @TempDir
    private Path temp;

    private Path root = Path.of("");

    @BeforeEach
    void folders() {
        root = temp.resolve("root");
    }

    /** The driver of the host. */
    private DriverEdits ofHost() {
        return edits(DriverPlace.of(root, HOST, Optional.of(root), Optional.empty()), "amd64");
    }

    private DriverEdits edits(DriverPlace place, String architecture) {
        return new DriverEdits(place, version::get, architecture, warnings::add, log::add);
    }

    /** Files of the host by where containers have them. */
    private static Map<String, String> mounts(CdiEdits edits) {
        return new TreeMap<>(
                edits.mounts().stream().collect(Collectors.toMap(CdiMount::containerPath, CdiMount::hostPath)));
    }

    @ParameterizedTest
    @ValueSource(strings = {DEBIAN, ARM, RED_HAT, "usr/lib"})
    void withTheHookLibrariesAreWhereTheDriverHasThem(String directory) {
        DriverTree.install(root, directory).file(HOOK.substring(1));

        CdiEdits edits = ofHost().of(false);

        String at = "/" + directory + "/";
        assertThat(mounts(edits))
                .containsEntry(at + "libcuda.so." + VERSION, at + "libcuda.so." + VERSION)
                .containsEntry(at + "libnvidia-ml.so." + VERSION, at + "libnvidia-ml.so." + VERSION)
                .containsEntry("/usr/bin/nvidia-smi", "/usr/bin/nvidia-smi")
                .containsEntry(
                        "/lib/firmware/nvidia/" + VERSION + "/gsp_ga10x.bin",
                        "/lib/firmware/nvidia/" + VERSION + "/gsp_ga10x.bin")
                .doesNotContainKey(at + "libcuda.so.1");
        assertThat(edits.mounts().get(0).options()).containsExactly("ro", "nosuid", "nodev", "rbind", "rprivate");
        assertThat(edits.hooks()).hasSize(2);
        assertThat(edits.hooks().get(0).path()).isEqualTo(HOOK);
        assertThat(edits.hooks().get(0).arguments())
                .startsWith(
                        "nvidia-cdi-hook",
                        "create-symlinks",
                        "--link",
                        "libcuda.so." + VERSION + "::" + at + "libcuda.so.1",
                        "--link",
                        "libcuda.so.1::" + at + "libcuda.so")
                .contains("libnvidia-nvvm.so." + VERSION + "::" + at + "libnvidia-nvvm.so.4");
        assertThat(edits.hooks().get(1).arguments())
                .containsExactly("nvidia-cdi-hook", "update-ldcache", "--folder", "/" + directory);
        assertThat(warnings).isEmpty();
    }

    /** Loaders search these without a cache, Debian's the first and Red Hat's the second. */
    @ParameterizedTest
    @CsvSource({
        DEBIAN + ", amd64, /usr/lib/x86_64-linux-gnu",
        RED_HAT + ", amd64, /usr/lib/x86_64-linux-gnu",
        ARM + ", aarch64, /usr/lib/aarch64-linux-gnu",
        RED_HAT + ", aarch64, /usr/lib/aarch64-linux-gnu"
    })
    void withoutTheHookEachNameIsMountedWhereLoadersLook(String directory, String architecture, String triplet) {
        DriverTree.install(root, directory);

        CdiEdits edits = edits(DriverPlace.of(root, HOST, Optional.of(root), Optional.empty()), architecture)
                .of(false);

        String library = "/" + directory + "/libcuda.so." + VERSION;
        for (String loader : List.of(triplet, "/usr/lib64")) {
            for (String name : List.of("libcuda.so", "libcuda.so.1", "libcuda.so." + VERSION)) {
                assertThat(mounts(edits)).containsEntry(loader + "/" + name, library);
            }
            assertThat(mounts(edits))
                    .containsEntry(loader + "/libnvidia-nvvm.so.4", "/" + directory + "/libnvidia-nvvm.so." + VERSION);
        }
        assertThat(edits.hooks()).isEmpty();
        assertThat(edits.environment()).isEmpty();
        assertThat(String.join("\n", log)).contains("no nvidia-cdi-hook on the host");
    }

    @Test
    void ofADriverContainerTheHostSeesAnotherPath() {
        DriverTree.install(root, DEBIAN).file("run/nvidia-persistenced/socket");

        DriverPlace place =
                DriverPlace.of(root, CONTAINER_DRIVER, Optional.empty(), Optional.of("/opt/nvidia-cdi-hook"));
        CdiEdits edits = edits(place, "amd64").of(false);

        assertThat(mounts(edits))
                .containsEntry(
                        "/" + DEBIAN + "/libcuda.so." + VERSION,
                        "/run/nvidia/driver/" + DEBIAN + "/libcuda.so." + VERSION)
                .containsEntry("/usr/bin/nvidia-smi", "/run/nvidia/driver/usr/bin/nvidia-smi")
                .containsEntry("/run/nvidia-persistenced/socket", "/run/nvidia/driver/run/nvidia-persistenced/socket");
        assertThat(edits.hooks().get(0).path())
                .as("named by who installs the agent, which does not see the host")
                .isEqualTo("/opt/nvidia-cdi-hook");
    }

    @Test
    void theHookIsTheFirstThatIsThereAndNoneIfThatIsWanted() {
        DriverTree.install(root, RED_HAT).file("usr/bin/nvidia-cdi-hook").file(HOOK.substring(1));

        assertThat(hooks(Optional.empty())).containsOnly("/usr/bin/nvidia-cdi-hook");
        assertThat(hooks(Optional.of("/opt/gone/nvidia-cdi-hook"))).containsOnly("/usr/bin/nvidia-cdi-hook");
        assertThat(hooks(Optional.of(HOOK))).containsOnly(HOOK);
        assertThat(hooks(Optional.of("none"))).isEmpty();
    }

    private List<String> hooks(Optional<String> named) {
        return edits(DriverPlace.of(root, HOST, Optional.of(root), named), "amd64").of(false).hooks().stream()
                .map(CdiHook::path)
                .toList();
    }

    @Test
    void onlyTheDriversOwnVersionIsTaken() {
        new DriverTree(root).libraries(RED_HAT, "535.104.05");
        DriverTree.install(root, RED_HAT)
                .file("usr/lib/libcuda.so." + VERSION)
                .file("lib/firmware/nvidia/535.104.05/gsp_ga10x.bin")
                // Left behind by an upgrade.
                .link(RED_HAT + "/libnvidia-cfg.so.1", "libnvidia-cfg.so.535.104.05");

        Map<String, String> mounts = mounts(ofHost().of(true));

        assertThat(mounts.toString()).doesNotContain("535").doesNotContain("=/usr/lib/lib");
        assertThat(mounts)
                .containsEntry("/usr/lib64/libcuda.so.1", "/usr/lib64/libcuda.so." + VERSION)
                .containsEntry("/usr/lib64/libnvidia-cfg.so.1", "/usr/lib64/libnvidia-cfg.so." + VERSION);
    }

    /** As Debian's packages have it: alternatives of the host, which this container does not have at that place. */
    @Test
    void linksAreFollowedInsideOfTheRoot() {
        String current = DEBIAN + "/nvidia/current";
        DriverTree.install(root, current)
                .file(HOOK.substring(1))
                .link(DEBIAN + "/libcuda.so.1", "/etc/alternatives/glx--libcuda.so.1")
                .link("etc/alternatives/glx--libcuda.so.1", "/" + current + "/libcuda.so.1")
                .file("opt/driver/nvidia-smi")
                .link("usr/bin/nvidia-smi", "/etc/alternatives/nvidia-smi")
                .link("etc/alternatives/nvidia-smi", "/opt/driver/nvidia-smi");

        CdiEdits edits = ofHost().of(false);

        assertThat(mounts(edits))
                .containsEntry("/" + current + "/libcuda.so." + VERSION, "/" + current + "/libcuda.so." + VERSION)
                .containsEntry("/usr/bin/nvidia-smi", "/opt/driver/nvidia-smi");
        assertThat(edits.hooks().get(1).arguments()).endsWith("--folder", "/" + current);
    }

    @Test
    void noLinkLeadsOutOfTheRoot() throws IOException {
        Path outside = Files.writeString(temp.resolve("secret"), "secret");
        DriverTree.install(root, RED_HAT)
                .link("usr/bin/nvidia-smi", outside.toString())
                .link("usr/bin/nvidia-debugdump", "../../../secret")
                .link("usr/bin/nvidia-cuda-mps-control", "nvidia-cuda-mps-control")
                .link(RED_HAT + "/libnvidia-cfg.so." + VERSION, "../../../../../../secret")
                .link("usr/bin/nvidia-persistenced", "../../../../../inside")
                .file("inside");

        Map<String, String> mounts = mounts(ofHost().of(false));

        assertThat(mounts.toString()).doesNotContain("secret").doesNotContain("mps-control");
        assertThat(mounts)
                .as("above a root is the root")
                .containsEntry("/usr/bin/nvidia-persistenced", "/inside")
                .doesNotContainKeys("/usr/bin/nvidia-smi", "/usr/lib64/libnvidia-cfg.so." + VERSION);
    }

    @Test
    void whatIsMissingIsSaidOnce() {
        DriverTree tree = DriverTree.install(root, RED_HAT).delete(RED_HAT + "/libcuda.so." + VERSION);

        DriverEdits edits = ofHost();
        edits.of(false);

        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0)).contains("no libcuda.so." + VERSION + " below " + root);
        assertThat(log).hasSize(2);
        assertThat(log.get(1))
                .contains("nvidia-persistenced, nvidia-cuda-mps-server")
                .doesNotContain("nvidia-smi");
        assertThat(mounts(edits.of(false))).containsKey("/usr/lib64/libnvidia-ml.so.1");

        tree.file(RED_HAT + "/libnvidia-later.so." + VERSION).file("usr/bin/nvidia-persistenced");
        touch(2);
        assertThat(mounts(edits.of(false)))
                .as("what came meanwhile, though not all did")
                .containsKeys("/usr/lib64/libnvidia-later.so." + VERSION, "/usr/bin/nvidia-persistenced");

        warnings.clear();
        tree.file(RED_HAT + "/libcuda.so." + VERSION);
        touch(1);
        assertThat(mounts(edits.of(false))).containsKey("/usr/lib64/libcuda.so.1");
        assertThat(warnings).isEmpty();
    }

    /** A package that is put in while the clock of the file system stands still. */
    private void touch(long millis) {
        try {
            Files.setLastModifiedTime(root.resolve(RED_HAT), FileTime.fromMillis(millis));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void filesThatGoWhileTheDriverIsReplacedAreNotTakenFromClaims() throws IOException {
        DriverTree tree = DriverTree.install(root, RED_HAT);
        DriverEdits edits = ofHost();
        CdiEdits whole = edits.of(false);

        tree.delete(RED_HAT + "/libcuda.so." + VERSION);
        touch(1);

        assertThat(edits.of(false)).isEqualTo(whole);
        assertThat(warnings).hasSize(1);
    }

    @Test
    void theSameFilesGiveTheSameSpecification() {
        DriverTree.install(root, DEBIAN).file("usr/bin/nvidia-persistenced");

        assertThat(ofHost().of(true)).isEqualTo(ofHost().of(true));
        List<String> paths = ofHost().of(false).mounts().stream()
                .map(CdiMount::containerPath)
                .filter(path -> path.startsWith("/usr/lib64/"))
                .toList();
        assertThat(paths)
                .startsWith(
                        "/usr/lib64/libcuda.so." + VERSION,
                        "/usr/lib64/libcuda.so.1",
                        "/usr/lib64/libcuda.so",
                        "/usr/lib64/libcudadebugger.so." + VERSION);
    }

    private static final PciAddress GPU = PciAddress.of("0000:10:00.0");

    private static Holding holding(ClaimRef claim) {
        return new Holding(claim, "gpu", Place.whole(GPU), Stage.READY, true, -1, -1, "GPU-1");
    }

    private static Gpu gpu() {
        return new Gpu(
                GPU,
                "GPU-1",
                "NVIDIA H100",
                "0x233010DE",
                GpuMode.WHOLE,
                0,
                OptionalInt.empty(),
                List.of(),
                List.of(),
                true);
    }

    /** A claim, and what kubelet gave by a device plugin; both with the new files once the driver is another one. */
    @Test
    void specificationsFollowTheDriver() throws IOException {
        DriverTree tree = DriverTree.install(root, RED_HAT).file(HOOK.substring(1));
        Path cdi = temp.resolve("cdi");
        ClaimSpecs specs = new ClaimSpecs(new LocalDisk(), cdi, new NvidiaEdits(root, () -> List.of(gpu()), ofHost()));
        for (ClaimRef claim : List.of(new ClaimRef("0-1", "default", "a"), ClaimRef.ofPlugin("gpu-0000-10-00-0"))) {
            Path file = cdi.resolve("sro.dev-slice_" + claim.uid() + ".json");
            version.set(VERSION);
            assertThat(specs.write(claim, List.of(holding(claim)))).isTrue();
            String text = Files.readString(file);
            CdiRules.check(text);
            assertThat(text)
                    .contains("NVIDIA_VISIBLE_DEVICES=void", "/usr/lib64/libcuda.so." + VERSION, "createContainer");
            assertThat(specs.write(claim, List.of(holding(claim)))).isFalse();

            tree.libraries(RED_HAT, "590.10");
            version.set("590.10");
            assertThat(specs.write(claim, List.of(holding(claim)))).isTrue();
            assertThat(Files.readString(file)).contains("libcuda.so.590.10").doesNotContain(VERSION);
            CdiRules.check(Files.readString(file));
        }
    }

    @Test
    void graphicsComeWithProfilesThatDraw() throws IOException {
        DriverTree.install(root, RED_HAT)
                .file("usr/share/vulkan/icd.d/nvidia_icd.json")
                .file("dev/nvidia-modeset");
        NvidiaEdits edits = new NvidiaEdits(root, () -> List.of(gpu()), ofHost());

        for (String profile : List.of("1g.24gb", "1g.24gb+me", "1g.24gb+gfx")) {
            Place place = new Place(GPU, profile, 47, 0, 1);
            Holding slice =
                    new Holding(new ClaimRef("0-1", "default", "a"), "gpu", place, Stage.READY, true, 1, 0, "MIG-1");
            CdiEdits common = edits.common(List.of(slice));
            boolean draws = profile.endsWith("+gfx");
            assertThat(mounts(common).containsKey("/usr/lib64/libGLX_nvidia.so.0"))
                    .isEqualTo(draws);
            assertThat(mounts(common).containsKey("/usr/share/vulkan/icd.d/nvidia_icd.json"))
                    .isEqualTo(draws);
            assertThat(common.nodes().contains("/dev/nvidia-modeset")).isEqualTo(draws);
        }
    }
}

package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.dra.NodeMarks;
import dev.sro.runtime.Cli;
import dev.sro.runtime.HttpSandbox;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CordonCommandTest {
    @TempDir
    private Path folder;

    private HttpSandbox on;

    @BeforeEach
    void start() throws IOException {
        on = new HttpSandbox(folder);
        on.node("gpu-node-1", "one");
    }

    @AfterEach
    void close() {
        on.close();
    }

    private Cli slices(String... args) {
        String[] all = new String[args.length + 3];
        all[0] = "slices";
        System.arraycopy(args, 0, all, 1, args.length);
        all[args.length + 1] = "--kubeconfig";
        all[args.length + 2] = on.kubeconfig;
        return Cli.run(all);
    }

    private Map<String, String> cordons() {
        return NodeMarks.cordons(on.sandbox
                .client()
                .nodes()
                .withName("gpu-node-1")
                .get()
                .getMetadata()
                .getAnnotations());
    }

    @Test
    void gpusAreTakenOutOfServiceByAddressAndByUuidAndPutBack() {
        assertThat(slices("cordon", "gpu-node-1/0000:3B:00.0", "--reason", "a fan is loud")
                        .code())
                .isZero();
        assertThat(slices("cordon", "gpu-node-1/GPU-5d9c").out()).isEqualTo("gpu-node-1/GPU-5d9c: cordoned\n");
        assertThat(cordons()).isEqualTo(Map.of("0000-3b-00.0", "a fan is loud", "GPU-5d9c", "no reason given"));

        assertThat(slices("uncordon", "gpu-node-1/0000:3b:00.0", "-o", "yaml").out())
                .contains("node: \"gpu-node-1\"", "gpu: \"0000:3b:00.0\"", "cordoned: false");
        assertThat(cordons()).containsOnlyKeys("GPU-5d9c");
        assertThat(slices("uncordon", "gpu-node-1/0000:3b:00.0").code()).isZero();
    }

    @Test
    void whatIsNoGpuOfANodeIsRefused() {
        assertThat(slices("cordon", "gpu-node-1").err()).contains("is not one such as gpu-node-1/0000:3b:00.0");
        assertThat(slices("cordon", "gpu-node-1/0").err()).contains("neither a UUID");
        assertThat(slices("cordon", "other/GPU-5d9c").err()).contains("there is no node other");
        assertThat(cordons()).isEmpty();
    }
}

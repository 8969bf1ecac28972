package dev.sro.runtime.cdi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.runtime.Main;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {

    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String injector = "";

    @BeforeEach
    void write() throws IOException {
        injector = file(
                "onload.json",
                "{\"activation_flag\": \"ONLOAD\", \"devices\": [\"/dev/onload\"],"
                        + " \"libraries\": [\"/usr/lib64/libonload.so\"]}");
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private int run(String... args) {
        return Main.run(new PrintWriter(out, true), new PrintWriter(err, true), args);
    }

    @Test
    void printsTheSpecification() {
        int code = run("cdi", "convert", "--kind", "amd.com/onload", "--ldconfig", "", injector);

        assertThat(err.toString()).isEmpty();
        assertThat(code).isZero();
        assertThat(out.toString()).isEqualTo("""
            {
              "cdiVersion": "0.3.0",
              "kind": "amd.com/onload",
              "devices": [
                {
                  "name": "all",
                  "containerEdits": {
                    "deviceNodes": [
                      {
                        "path": "/dev/onload"
                      }
                    ],
                    "mounts": [
                      {
                        "hostPath": "/usr/lib64/libonload.so",
                        "containerPath": "/usr/lib64/libonload.so",
                        "options": [
                          "ro",
                          "nosuid",
                          "nodev",
                          "bind"
                        ]
                      }
                    ]
                  }
                }
              ]
            }
            """);
    }

    @Test
    void printsTheHookAndItsConfiguration() throws IOException {
        String own = file("nic.yaml", """
            kind: vendor.example/nic
            devices: [/dev/nic]
            activationFlag: NIC=on
            hookPath: /usr/libexec/oci/hooks.d/oci-injector-hook
            """);

        assertThat(run("cdi", "convert", "--to", "hook", own)).isZero();
        assertThat(out.toString()).contains("\"version\": \"1.0.0\"").contains("\"prestart\"");
        assertThat(run("cdi", "convert", "--to", "injector", own)).isZero();
        assertThat(out.toString()).contains("\"activation_flag\": \"NIC=on\"");
    }

    @Test
    void saysWhatIsMissing() {
        assertThat(run("cdi", "convert", injector)).isEqualTo(2);
        assertThat(err.toString()).contains(injector + ": does not say the kind of the device");
        assertThat(run("cdi", "convert", "--kind", "amd.com/onload", "--to", "hook", injector))
                .isEqualTo(2);
        assertThat(err.toString()).contains("names no hook; set hookPath");
        assertThat(run("cdi", "convert", directory + "/none.json")).isEqualTo(2);
        assertThat(err.toString()).contains("none.json: cannot be read");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void aGroupOfCommandsNeedsOne() {
        assertThat(run("cdi")).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required subcommand");
    }
}

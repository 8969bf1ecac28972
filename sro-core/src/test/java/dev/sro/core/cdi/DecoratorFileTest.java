package dev.sro.core.cdi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.device.CdiSpec;
import dev.sro.api.device.ContainerEdits;
import dev.sro.api.device.Decoration;
import dev.sro.core.cdi.DecoratorFile.Defaults;
import dev.sro.core.cdi.DecoratorFile.Form;
import dev.sro.core.yaml.Yaml;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A table of files: {@code valid-*} beside what they become, {@code invalid-*} beside what is said of them. */
class DecoratorFileTest {

    private static final Defaults PLAIN = new Defaults(Optional.of("amd.com/onload"), "all", Optional.empty());

    static List<String> invalid() throws IOException, URISyntaxException {
        Path directory = Path.of(Objects.requireNonNull(DecoratorFileTest.class.getResource("valid-sro.yaml"))
                        .toURI())
                .resolveSibling(".");
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("invalid-") && !name.endsWith(".txt"))
                    .sorted()
                    .toList();
        }
    }

    private static String text(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(DecoratorFileTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Decoration read(String file, Defaults defaults) throws IOException {
        return DecoratorFile.read(file, text(file), defaults).decoration();
    }

    @ParameterizedTest
    @CsvSource({
        "valid-oci-decorator.json, OCI_DECORATOR",
        "valid-oci-injector-hook.json, OCI_INJECTOR_HOOK",
        "valid-sro.yaml, SRO"
    })
    void becomesASpecification(String file, Form form) throws IOException {
        DecoratorFile.Result result = DecoratorFile.read(file, text(file), PLAIN);

        assertThat(result.form()).isEqualTo(form);
        CdiSpec spec = Decorations.cdi(result.decoration());
        String expected = file.replaceFirst("\\.[a-z]+$", ".cdi.json");
        assertThat(CdiFiles.tree(spec))
                .isEqualTo(Yaml.documents(expected, text(expected)).get(0));
        assertThat(Yaml.documents("text", CdiFiles.text(spec)).get(0)).isEqualTo(CdiFiles.tree(spec));
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void namesEverythingThatIsWrong(String file) throws IOException {
        String expected = text(file.replaceFirst("\\.[a-z]+$", ".txt")).strip();
        String given = text(file);

        assertThatThrownBy(() -> DecoratorFile.read(file, given, PLAIN))
                .isInstanceOf(DecoratorFileException.class)
                .hasMessage(expected);
    }

    @Test
    void thereAreFixturesForErrors() throws Exception {
        assertThat(invalid()).hasSizeGreaterThan(9);
    }

    @Test
    void whatTheFileDoesNotSayHasToBeSaidBesideIt() throws IOException {
        String file = "valid-oci-injector-hook.json";
        String given = text(file);

        assertThatThrownBy(() -> DecoratorFile.read(file, given, Defaults.NONE))
                .hasMessage(
                        file + ": does not say the kind of the device, which this form has no field for; give it beside"
                                + " the file (--kind vendor.example/class)");
    }

    @Test
    void librariesHaveTheCacheOfTheLinkerRenewed() throws IOException {
        Defaults defaults = new Defaults(Optional.of("amd.com/onload"), "all", Optional.of("/sbin/ldconfig"));

        ContainerEdits with = edits(read("valid-oci-decorator.json", defaults));
        ContainerEdits without = edits(read("valid-oci-injector-hook.json", defaults));

        assertThat(without.hooks()).as("no libraries").isEmpty();
        assertThat(with.hooks()).singleElement().satisfies(hook -> {
            assertThat(hook.when()).isEqualTo("createContainer");
            assertThat(hook.path()).isEqualTo("/bin/sh");
            assertThat(hook.arguments()).startsWith("sh", "-c").endsWith("/sbin/ldconfig");
        });
    }

    private static ContainerEdits edits(Decoration decoration) {
        return Objects.requireNonNull(Decorations.cdi(decoration).devices().get("all"));
    }

    @Test
    void theHookAndItsConfigurationAreWrittenWhereAHookIsNamed() throws IOException {
        Decoration decoration = read("valid-sro.yaml", Defaults.NONE);

        assertThat(OciHookFiles.tree(Decorations.hook(decoration).orElseThrow()))
                .isEqualTo(Map.of(
                        "version",
                        "1.0.0",
                        "hook",
                        Map.of("path", "/usr/libexec/oci/hooks.d/oci-injector-hook"),
                        "when",
                        Map.of("always", true),
                        "stages",
                        List.of("prestart")));
        assertThat(Decorations.injector(decoration))
                .containsEntry("activation_flag", "NIC")
                .containsEntry("devices", List.of("/dev/nic0"));
        // What is written can be read.
        DecoratorFile.Result back = DecoratorFile.read("back", Decorations.injectorText(decoration), PLAIN);
        assertThat(back.form()).isEqualTo(Form.OCI_INJECTOR_HOOK);
        assertThat(back.decoration().activationFlag()).contains("NIC");
        assertThat(Decorations.hook(back.decoration())).isEmpty();
    }
}

package dev.sro.core.recipe.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HelmClassPathTest {

    private static final String INNER = "BOOT-INF/lib/helm-java-1.jar";

    @TempDir
    private Path folder;

    private Path unpacked;
    private Path application;

    @BeforeEach
    void anApplicationThatIsOneJar() throws IOException {
        unpacked = Files.createDirectory(folder.resolve("unpacked"));
        application = folder.resolve("my application.jar");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(application))) {
            zip.putNextEntry(new ZipEntry(INNER));
            zip.write(new byte[] {1, 2, 3});
        }
    }

    private String url() {
        return application.toUri().toString().substring("file:".length()).replaceFirst("^//", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "jar:nested:%s/!" + INNER + "!/",
                "nested:%s/!" + INNER,
                "jar:file:%s!/" + INNER + "!/",
                "jar:file:%s!/" + INNER
            })
    void aJarWithinAJarIsUnpacked(String form) throws IOException {
        Path jar = HelmClassPath.place(form.formatted(url()), unpacked);

        assertThat(jar).isEqualTo(unpacked.resolve("helm-java-1.jar")).hasBinaryContent(new byte[] {1, 2, 3});
        // Two classes may be of one jar.
        assertThat(HelmClassPath.place(form.formatted(url()), unpacked)).isEqualTo(jar);
    }

    @ParameterizedTest
    @CsvSource({
        "linux.amd64, Linux, amd64, true",
        "linux.amd64, Linux, aarch64, false",
        "linux.amd64, Mac OS X, x86_64, false",
        "darwin.arm64, Mac OS X, aarch64, true",
        "darwin.amd64, Mac OS X, x86_64, true",
        "windows.amd64, Windows 11, amd64, true"
    })
    void aLibraryIsForOneSystemAndArchitecture(String platform, String system, String architecture, boolean fits) {
        String provider = "com.marcnuri.helm.jni." + platform + ".SomeNativeLibrary";
        assertThat(HelmClassPath.isFor(provider, system, architecture)).isEqualTo(fits);
    }

    @Test
    void jarsAndFoldersAreTakenAsTheyAre() throws IOException {
        assertThat(HelmClassPath.place(application.toUri().toString(), unpacked))
                .isEqualTo(application);
        assertThat(HelmClassPath.place("jar:" + application.toUri() + "!/", unpacked))
                .isEqualTo(application);
        assertThat(HelmClassPath.place(folder.toUri().toString(), unpacked)).isEqualTo(folder);
        assertThat(unpacked).isEmptyDirectory();
    }

    @Test
    void whatIsNoFileIsSaid() {
        for (String place : new String[] {"jar:file:" + url() + "!/lib/other.jar!/", "https://example.com/a.jar", ""}) {
            assertThatThrownBy(() -> HelmClassPath.place(place, unpacked))
                    .isInstanceOfSatisfying(
                            ChartException.class,
                            e -> assertThat(e.problem().code()).isEqualTo("HelmRendererMissing"))
                    .hasMessageContaining("is no jar in a directory")
                    .hasMessageContaining("HelmRendererConfig.classPath");
        }
    }
}

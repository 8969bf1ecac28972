package dev.sro.runtime.plan;

import dev.sro.runtime.Cli;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A chart in a folder and a special resource for it. Immutable. */
public record ChartFiles(Path folder) {

    /** A kernel of RHEL. */
    public static final String K1 = "5.14.0-427.11.1.el9_4.x86_64";

    /** The next one. */
    public static final String K2 = "5.14.0-427.13.1.el9_4.x86_64";

    /** Makes Chart.yaml and the special resource {@code cr.yaml}. */
    public static ChartFiles in(Path folder) {
        ChartFiles files = new ChartFiles(folder);
        files.write("chart/Chart.yaml", "apiVersion: v2\nname: demo\nversion: 0.1.0\n");
        files.write("chart/values.yaml", "image: quay.io/example/driver:v1\n");
        files.write("cr.yaml", """
            apiVersion: sro.openshift.io/v1beta1
            kind: SpecialResource
            metadata: {name: demo}
            spec:
              namespace: demo
              chart:
                name: demo
                version: 0.1.0
                repository: {name: example, url: "%s"}
              nodeSelector: {example.com/device: "true"}
            """.formatted(folder.resolve("chart").toUri()));
        return files;
    }

    /** Writes a template. */
    public ChartFiles template(String name, String text) {
        write("chart/templates/" + name, text);
        return this;
    }

    /** Writes any file. */
    public void write(String name, String text) {
        try {
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Looks at the recipe for both kernels. */
    public Cli lint(String... args) {
        return run(
                "lint",
                Stream.concat(Stream.of("--kernel", K1, "--kernel", K2), Stream.of(args))
                        .toArray(String[]::new));
    }

    /** Runs a command for the special resource. */
    public Cli run(String command, String... args) {
        List<String> all =
                new ArrayList<>(List.of(command, "-f", folder.resolve("cr.yaml").toString()));
        all.addAll(List.of(args));
        return Cli.run(all.toArray(String[]::new));
    }
}

package dev.sro.runtime.scaffold;

import dev.sro.core.model.FileErrors;
import dev.sro.runtime.AddedCommand;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.UnusableInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the project of a vendor's plugin. */
@Command(
        name = "new",
        mixinStandardHelpOptions = true,
        description = {
            "Writes the project of a vendor's plugin: driver with build, validation, device plugin, exporter with"
                    + " alert, and tests that bring it to Ready.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 written; 2 wrong arguments, or the folder is not empty.",
            "",
            "Example:",
            "  sro new acme-plugin --vendor Acme --pci 1bcd --resource acme.example/card"
        })
public final class NewCommand implements AddedCommand {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "FOLDER", description = "Where the project is written; its name is the artifact's.")
    private Path folder = Path.of("");

    @Option(
            names = "--vendor",
            paramLabel = "NAME",
            defaultValue = "Acme",
            description = "Name of the vendor, with which classes and problems begin. Default: ${DEFAULT-VALUE}.")
    private String vendor = "";

    @Option(
            names = "--pci",
            paramLabel = "ID",
            defaultValue = "1bcd",
            description = "The vendor's PCI id, as lspci -n prints it. Default: ${DEFAULT-VALUE}.")
    private String pci = "";

    @Option(
            names = "--resource",
            paramLabel = "NAME",
            defaultValue = "acme.example/card",
            description = "What pods ask for. Default: ${DEFAULT-VALUE}.")
    private String resource = "";

    @Option(
            names = "--plugin",
            paramLabel = "NAME",
            description = "What special resources say in spec.plugin.name. Default: the vendor's in small letters.")
    private String plugin = "";

    @Option(
            names = "--group",
            paramLabel = "ID",
            description = "Group id of the artifact. Default: com. with the plugin's name.")
    private String group = "";

    @Option(names = "--package", paramLabel = "NAME", description = "Java package. Default: the group with .sro.")
    private String javaPackage = "";

    /** Filled by the command line parser. */
    public NewCommand() {}

    @Override
    public Integer call() {
        ProjectTemplate template = ProjectTemplate.shipped();
        Map<String, String> values = values(template);
        SortedMap<String, String> files = template.files(values);
        write(files);
        PrintWriter out = spec.commandLine().getOut();
        out.println(folder + ": " + files.size() + " files. Next:");
        out.println("  cd " + folder);
        out.println("  mvn package");
        out.println("  sro dev -f deploy/special-resource.yaml --nodes deploy/nodes.yaml --plugins target");
        out.println("  sro plan -f deploy/special-resource.yaml --nodes deploy/nodes.yaml --plugins target"
                + " --assume-built");
        out.flush();
        return ExitCodes.OK;
    }

    private Map<String, String> values(ProjectTemplate template) {
        Map<String, String> values = new HashMap<>();
        template.properties().forEach((key, property) -> values.put(key, property.otherwise()));
        Path name =
                Objects.requireNonNullElse(folder.toAbsolutePath().normalize().getFileName(), folder);
        String id = plugin.isEmpty() ? vendor.toLowerCase(Locale.ROOT) : plugin;
        String groupId = group.isEmpty() ? "com." + id.replace("-", "") : group;
        values.put("artifactId", name.toString());
        values.put("vendor", vendor);
        values.put("plugin", id);
        values.put("pci", pci);
        values.put("resource", resource);
        values.put("groupId", groupId);
        values.put("package", javaPackage.isEmpty() ? groupId + ".sro" : javaPackage);
        template.properties().forEach((key, property) -> {
            String value = values.getOrDefault(key, "");
            if (!property.pattern().matcher(value).matches()) {
                throw new UnusableInputException(
                        key + " " + value, "must match " + property.pattern().pattern());
            }
        });
        return values;
    }

    private void write(SortedMap<String, String> files) {
        try {
            if (Files.isDirectory(folder)) {
                try (Stream<Path> there = Files.list(folder)) {
                    if (there.findAny().isPresent()) {
                        throw new UnusableInputException(folder.toString(), "is not empty; name a new folder");
                    }
                }
            }
            for (Map.Entry<String, String> file : files.entrySet()) {
                Path path = folder.resolve(file.getKey());
                Files.createDirectories(Objects.requireNonNullElse(path.getParent(), folder));
                Files.writeString(path, file.getValue());
            }
        } catch (IOException e) {
            throw new UnusableInputException(folder.toString(), "cannot be written (" + FileErrors.text(e) + ")");
        }
    }
}

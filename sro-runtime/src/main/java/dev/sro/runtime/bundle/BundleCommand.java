package dev.sro.runtime.bundle;

import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginHost;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.PluginOptions;
import dev.sro.runtime.Progress;
import dev.sro.runtime.SafeOutput;
import dev.sro.runtime.SroVersion;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.bundle.check.Bundle;
import dev.sro.runtime.bundle.check.BundleCheck;
import dev.sro.runtime.bundle.check.BundleFinding;
import dev.sro.runtime.install.GrantOptions;
import dev.sro.runtime.install.OperatorParts;
import dev.sro.runtime.install.OutputFolder;
import dev.sro.runtime.plugins.PluginsCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes a bundle for the Operator Lifecycle Manager, or checks one. */
@Command(
        name = "bundle",
        mixinStandardHelpOptions = true,
        description = {
            "Writes a bundle (registry+v1) of the operator with these plugins for the Operator Lifecycle Manager, and"
                    + " checks it.",
            "",
            "DIR has manifests, metadata and tests/scorecard, and a bundle.Dockerfile that makes an image of them.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 written, or checked without errors; 1 nothing is written, as some files of the"
                    + " folder are no plugins, a plugin asks for rights that are not granted unasked, or the check"
                    + " found errors; 2 wrong arguments."
        })
public final class BundleCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "DIR", description = "Where to write, or what to check.")
    private Path folder = Path.of("");

    @Option(
            names = "--check",
            description = "Write nothing: check the bundle that is in DIR, whoever made it. Of the other options only"
                    + " --strict and --require-digests count.")
    private boolean check;

    @Option(names = "--strict", description = "Warnings are errors: what catalogues with checks of their own ask for.")
    private boolean strict;

    @Option(names = "--require-digests", description = "Images without digest are errors, as certification has it.")
    private boolean requireDigests;

    @Mixin
    private PluginOptions plugins = new PluginOptions();

    @Mixin
    private BundleOptions options = new BundleOptions();

    @Option(
            names = "--image",
            paramLabel = "IMAGE",
            description =
                    "The operator's, with tag or digest. Default: " + OperatorParts.NAME + " with the version of SRO.")
    private @Nullable String image;

    @Option(
            names = "--images",
            paramLabel = "FILE",
            description = "Digests of images: \"IMAGE sha256:...\" a line. sro plugins --images lists the images.")
    private @Nullable Path images;

    @Option(
            names = "--about",
            paramLabel = "FILE",
            description = "What catalogues say of the operator: YAML with maintainers, links, repository, provider and"
                    + " others.")
    private @Nullable Path about;

    @Option(
            names = "--example",
            paramLabel = "FILE",
            description = "Custom resources that consoles offer for a start. Can be repeated.")
    private List<Path> examples = new ArrayList<>();

    @Mixin
    private GrantOptions granting = new GrantOptions();

    @Option(
            names = "--webhook",
            description = "With the operator's admission webhook and a certificate of OpenShift's, for"
                    + " spec.partitioning before Kubernetes 1.36.")
    private boolean webhook;

    /** Filled by the command line parser. */
    public BundleCommand() {}

    @Override
    public Integer call() throws IOException {
        if (check) {
            if (!Files.isDirectory(folder)) {
                throw new UnusableInputException(folder.toString(), "there is no such directory");
            }
            List<BundleFinding> found = findings(Bundle.read(folder));
            print(found, spec.commandLine().getOut());
            return isGood(found) ? ExitCodes.OK : ExitCodes.FAILED;
        }
        try (PluginHost host = plugins.open()) {
            if (granting.refuses(host, spec.commandLine().getErr())) {
                return ExitCodes.FAILED;
            }
            Map<String, String> files;
            List<BundleFinding> found;
            try (Progress progress = Progress.saying(spec.commandLine().getErr(), true, "writing the bundle")) {
                files = files(host);
                progress.say("checking the bundle");
                found = findings(Bundle.of(files));
            }
            print(found, spec.commandLine().getErr());
            if (!isGood(found)) {
                return ExitCodes.FAILED;
            }
            write(files);
        }
        return ExitCodes.OK;
    }

    private List<BundleFinding> findings(Bundle bundle) {
        return BundleCheck.run(bundle, requireDigests);
    }

    private boolean isGood(List<BundleFinding> found) {
        return strict ? found.isEmpty() : found.stream().noneMatch(BundleFinding::isError);
    }

    private static void print(List<BundleFinding> found, PrintWriter to) {
        found.forEach(one -> to.println(SafeOutput.oneLine(one.toString())));
        to.flush();
    }

    private Map<String, String> files(PluginHost host) throws IOException {
        Map<String, String> digests =
                images == null ? Map.of() : PinnedImages.digests(images.toString(), Files.readString(readable(images)));
        String wanted = image == null ? OperatorParts.defaultImage(SroVersion.current()) : image;
        String own = PinnedImages.pinned(wanted, digests);
        List<LoadedPlugin> loaded = host.current().plugins();
        OperatorParts parts = OperatorParts.of(own, loaded, granting.further(), webhook);
        BundleSettings settings = options.settings(System.getenv());
        List<Map<String, Object>> definitions = new ArrayList<>();
        OperatorParts.definitions().forEach((name, text) -> definitions.addAll(Documents.parse(name, text)));
        List<Map<String, Object>> others = new ArrayList<>();
        for (Path example : examples) {
            others.addAll(Documents.parse(example.toString(), Files.readString(readable(example))));
        }
        ServiceVersion serviceVersion = new ServiceVersion(
                settings,
                BundleDescription.read(about == null ? null : readable(about)),
                parts,
                new ServiceVersion.Operator(own, PinnedImages.of(PluginsCommand.images(host), digests)),
                definitions,
                Examples.collect(loaded.stream().map(LoadedPlugin::name).toList(), others));
        return BundleFiles.create(settings, serviceVersion.tree(), parts);
    }

    private static Path readable(Path file) {
        if (!Files.isRegularFile(file)) {
            throw new UnusableInputException(file.toString(), "there is no such file");
        }
        return file;
    }

    /** Files of a bundle that was there before would be installed with this one. */
    private void write(Map<String, String> files) throws IOException {
        TreeSet<String> others = new TreeSet<>(Bundle.paths(folder));
        others.removeAll(files.keySet());
        if (!others.isEmpty()) {
            throw new UnusableInputException(
                    folder.toString(), "has files of another bundle: " + String.join(", ", others) + "; remove them");
        }
        OutputFolder.write(folder, files, spec.commandLine().getOut());
    }
}

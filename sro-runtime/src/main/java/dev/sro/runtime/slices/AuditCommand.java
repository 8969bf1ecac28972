package dev.sro.runtime.slices;

import dev.sro.core.dra.SliceAudit;
import dev.sro.core.slicing.catalogue.DeviceModel;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.SafeOutput;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Holds ResourceSlices against the catalogue. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description = {
            "Holds ResourceSlices of any driver against the catalogue: whether their counters admit exactly what the"
                    + " hardware can carry.",
            "",
            "Every legal layout of what is offered is looked at. A layout that is wrongly admitted (its claims are"
                    + " allocated and cannot be prepared) or wrongly refused (its claims wait in vain) is printed, a"
                    + " smallest one for each GPU.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 nothing is wrong; 1 something is; 2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  kubectl get resourceslices -o yaml | sro slices audit -"
        })
final class AuditCommand implements Callable<Integer> {
    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private DraInput dra = new DraInput();

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            description = "Files with ResourceSlices, or lists of them, YAML or JSON; - for standard input.")
    private List<Path> files = new ArrayList<>();

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "What all GPUs are. Default: what attributes and profiles say.")
    private @Nullable String model;

    @Mixin
    private OutputForm format = new OutputForm();

    AuditCommand() {}

    @Override
    public Integer call() {
        Optional<DeviceModel> given =
                Optional.ofNullable(model).map(name -> inputs.catalogue().resolve(name));
        SliceAudit.Report report =
                SliceAudit.audit(SliceDocuments.read(files), inputs.catalogue(), given, dra.server());
        format.print(() -> text(report), () -> tree(report));
        return report.clean() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static String word(SliceAudit.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String text(SliceAudit.Report report) {
        StringBuilder text = new StringBuilder();
        report.findings()
                .forEach(finding -> text.append(finding.kind() == SliceAudit.Kind.NOTE ? "note: " : "")
                        .append(SafeOutput.oneLine(finding.toString()))
                        .append('\n'));
        long wrong = report.findings().stream()
                .filter(finding -> finding.kind() != SliceAudit.Kind.NOTE)
                .count();
        return text.append(report.gpus())
                .append(report.gpus() == 1 ? " GPU, " : " GPUs, ")
                .append(report.layouts())
                .append(" layouts, ")
                .append(
                        wrong == 0
                                ? "nothing is wrong"
                                : wrong + (wrong == 1 ? " thing is wrong" : " things are wrong"))
                .append('\n')
                .toString();
    }

    private static Map<String, Object> tree(SliceAudit.Report report) {
        return Output.object(
                "gpus",
                report.gpus(),
                "layouts",
                report.layouts(),
                "clean",
                report.clean(),
                "findings",
                report.findings().stream()
                        .map(finding -> Output.object(
                                "kind",
                                word(finding.kind()),
                                "where",
                                finding.where(),
                                "text",
                                finding.text(),
                                "devices",
                                finding.devices()))
                        .toList());
    }
}

package dev.sro.runtime.slices;

import dev.sro.core.slicing.CompactionPlan;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.Progress;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.waiting.MoveText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Plans moves. */
@Command(
        name = "defrag",
        mixinStandardHelpOptions = true,
        description = {
            "Plans moves that make room for a request, or that free devices.",
            "",
            "With --admit: the cheapest moves that admit one more slice. Without: as many devices freed as the budget"
                    + " allows. Pinned and foreign instances and those on cordoned devices stay where they are. With"
                    + " --device, --node, --group or --label, which narrow --admit, only instances on such devices move,"
                    + " and they stay on such devices.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 there is a plan, perhaps without moves; 1 with --admit: there is none, and why is printed; "
                    + "2 wrong arguments or input that cannot be read.",
            "",
            "Example:",
            "  sro slices defrag fleet.yaml --admit 7g.40gb --max-moves 4"
        })
final class DefragCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private FleetInput fleet = new FleetInput();

    @Option(names = "--admit", paramLabel = "P", description = "The profile to make room for. Default: free devices.")
    private @Nullable String admit;

    @Mixin
    private RequestOptions where = new RequestOptions();

    @Option(
            names = "--max-moves",
            paramLabel = "N",
            defaultValue = "3",
            description = "With --admit: most moves. Default: ${DEFAULT-VALUE}.")
    private int maxMoves;

    @Option(
            names = "--budget",
            paramLabel = "N",
            defaultValue = "1000000000",
            description = "Without --admit: most cost of all moves; a move costs the disruptionCost of its claim."
                    + " Default: ${DEFAULT-VALUE}.")
    private long budget;

    @Option(
            names = {"-o", "--output", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "text (or table), json, yaml, svg or fleet (both show the fleet afterwards). Default: ${DEFAULT-VALUE}.")
    private Format format = Format.TEXT;

    @Override
    public Integer call() {
        Output.allow(spec, format, Format.TEXT, Format.JSON, Format.YAML, Format.SVG, Format.FLEET);
        if (maxMoves < 0 || budget < 0) {
            throw new UnusableInputException(maxMoves < 0 ? "--max-moves" : "--budget", "must not be negative");
        }
        SliceAllocator allocator = fleet.read();
        return admit == null ? compact(allocator) : admit(allocator, where.request(allocator, "request", admit));
    }

    private int admit(SliceAllocator allocator, SliceRequest request) {
        Decision decision = allocator.whatIf().allocate(request);
        Optional<MovePlan> plan = stuck(decision) ? Optional.empty() : allocator.planAdmission(request, maxMoves);
        plan.ifPresent(allocator::apply);
        String verdict = plan.isPresent() ? "admitted" : stuck(decision) ? "infeasible" : "beyond-limit";
        String reason = plan.isPresent() ? "" : ((Decision.Refused) decision).explanation();
        String text = plan.map(MoveText::admission)
                .orElse((stuck(decision) ? "no moves help: " : "no plan with at most " + maxMoves + " moves: ") + reason
                        + "\n");
        Map<String, Object> tree = Output.object("verdict", verdict, "reason", reason);
        plan.ifPresent(found -> tree.put("plan", MoveText.tree(found)));
        print(allocator.snapshot(), text, tree);
        return plan.isPresent() ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private static boolean stuck(Decision decision) {
        return decision instanceof Decision.Refused refused && refused.reason() != Decision.Reason.FRAGMENTED;
    }

    private int compact(SliceAllocator allocator) {
        List<String> models = allocator.devices().stream()
                .map(device -> device.model().key())
                .distinct()
                .toList();
        List<CompactionPlan> plans = new ArrayList<>();
        try (Progress progress = Progress.of(
                spec.commandLine().getErr(), models.size(), format == Format.TEXT || format == Format.TABLE)) {
            long left = budget;
            for (String model : models) {
                progress.draw(model);
                for (CompactionPlan plan : allocator.planCompaction(model, left)) {
                    left -= plan.plan().cost();
                    plans.add(plan);
                }
                progress.step(model);
            }
        }
        plans.forEach(plan -> allocator.apply(plan.plan()));
        StringBuilder text = new StringBuilder();
        plans.forEach(plan -> text.append(Plans.compaction(plan)));
        print(allocator.snapshot(), text.toString(), Output.object("models", Plans.trees(plans)));
        return ExitCodes.OK;
    }

    private void print(SliceSnapshot after, String text, Map<String, Object> tree) {
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case JSON -> OutputForm.json(tree);
                    case YAML -> OutputForm.yaml(tree);
                    case SVG -> SlicePictures.create().svg("Slices after the moves", after);
                    case FLEET -> after.toJson();
                    default -> text + "\n" + SlicePictures.create().text(after);
                });
        out.flush();
    }
}

package dev.sro.runtime.slices;

import dev.sro.core.claim.ClaimObjects;
import dev.sro.core.claim.PodExplainer;
import dev.sro.core.claim.PodExplanation;
import dev.sro.core.slicing.Decision;
import dev.sro.core.slicing.MovePlan;
import dev.sro.core.slicing.SliceAllocator;
import dev.sro.core.slicing.SliceClaim;
import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.policy.Policies;
import dev.sro.core.slicing.render.SlicePictures;
import dev.sro.runtime.ExitCodes;
import dev.sro.runtime.OutputForm;
import dev.sro.runtime.Progress;
import dev.sro.runtime.UnusableInputException;
import dev.sro.runtime.waiting.ExplanationText;
import dev.sro.runtime.waiting.MoveText;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what would become of requests, and why. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Says why a pod waits for slices; or, with --profile or --requests, what would become of requests on a fleet.",
            "",
            "Of a pod: whether any arrangement of what runs could serve it, with the proof if not, which slices would have to"
                    + " move, or which pod to end, and which node is nearest. Pods ask by limits, by claim or by template; reads the"
                    + " cluster, or --from files, and writes nothing.",
            "",
            "Requests are looked at one after the other: what one gets the next ones do not. A refusal is infeasible"
                    + " (proved: no rearrangement helps) or fragmented (with the moves that would make room)."
                    + " --device, --node, --model, --group and --label narrow what --profile asks for.",
            ""
        },
        footer = {
            "",
            "Exit codes: 0 the pod has what it asks for, or all requests are granted; 1 it waits, or some are not, and why is"
                    + " printed; 2 wrong arguments, input that cannot be read, no such pod, or no answer from the cluster.",
            "",
            "Examples:",
            "  sro slices explain ml/train",
            "  sro slices explain fleet.yaml --profile 3g.20gb"
        })
final class ExplainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "POD|FLEET",
            description =
                    "A pod, NAME or NAMESPACE/NAME; or, with --profile or --requests, a fleet file, - for standard input.")
    private String subject = "";

    @Mixin
    private Inputs inputs = new Inputs();

    @Mixin
    private FleetTime fleet = new FleetTime();

    @Mixin
    private ClaimInput from = new ClaimInput();

    @Option(
            names = {"-n", "--namespace"},
            paramLabel = "NAME",
            defaultValue = "default",
            description = "Of the pod, where its name does not say it. Default: ${DEFAULT-VALUE}.")
    private String namespace = "";

    @Mixin
    private RequestOptions where = new RequestOptions();

    @Option(
            names = "--profile",
            paramLabel = "P",
            description = "A request for one slice; may be given more than once.")
    private List<String> profiles = new ArrayList<>();

    @Option(names = "--requests", paramLabel = "FILE", description = "Requests file, YAML or JSON.")
    private @Nullable Path requests;

    @Option(names = "--policy", paramLabel = "NAME", description = "Placement policy. Default: SRO's own.")
    private @Nullable String policy;

    @Option(
            names = "--max-moves",
            paramLabel = "N",
            defaultValue = "3",
            description = "Most moves of a plan that makes room, for each slice of a gang. Default: ${DEFAULT-VALUE}.")
    private int maxMoves;

    @Option(
            names = {"-o", "--output", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "text",
            description =
                    "text (or table), json, yaml, svg or fleet (both show the fleet afterwards). Default: ${DEFAULT-VALUE}.")
    private Format format = Format.TEXT;

    /** What became of one request or gang. */
    private record Answer(String name, Decision decision, Optional<MovePlan> plan) {}

    @Override
    public Integer call() {
        if (profiles.isEmpty() && requests == null) {
            return pod();
        }
        Output.allow(spec, format, Format.TEXT, Format.JSON, Format.YAML, Format.SVG, Format.FLEET);
        SliceAllocator allocator = fleet.read(
                Path.of(subject),
                inputs.catalogue(),
                policy == null ? Policies.standard() : Simulations.policy(policy));
        List<RequestsFile.Gang> gangs = gangs(allocator);
        List<Answer> answers = new ArrayList<>();
        try (Progress progress = Progress.of(
                spec.commandLine().getErr(), gangs.size(), format == Format.TEXT || format == Format.TABLE)) {
            for (RequestsFile.Gang gang : gangs) {
                answers.add(answer(allocator, gang));
                progress.step(gang.name());
            }
        }
        PrintWriter out = spec.commandLine().getOut();
        SliceSnapshot after = allocator.snapshot();
        out.print(
                switch (format) {
                    case JSON ->
                        OutputForm.json(
                                answers.stream().map(ExplainCommand::tree).toList());
                    case YAML ->
                        OutputForm.yaml(
                                answers.stream().map(ExplainCommand::tree).toList());
                    case SVG -> SlicePictures.create().svg("Slices after the requests", after);
                    case FLEET -> after.toJson();
                    default -> text(answers) + "\n" + SlicePictures.create().text(after);
                });
        out.flush();
        return answers.stream().allMatch(answer -> answer.decision().granted()) ? ExitCodes.OK : ExitCodes.FAILED;
    }

    private int pod() {
        Output.allow(spec, format, Format.TEXT, Format.JSON, Format.YAML);
        if (Files.isRegularFile(Path.of(subject))) {
            throw new UnusableInputException(
                    "sro slices explain", subject + " is a file: give --profile or --requests with a fleet");
        }
        int slash = subject.indexOf('/');
        String where = slash < 0 ? namespace : subject.substring(0, slash);
        String name = subject.substring(slash + 1);
        ClaimObjects objects = from.read();
        Pod pod = objects.pods().stream()
                .filter(one -> one.getMetadata().getName().equals(name)
                        && where.equals(one.getMetadata().getNamespace()))
                .findFirst()
                .orElseThrow(
                        () -> new UnusableInputException("POD", "there is no pod " + name + " in namespace " + where));
        PodExplanation explanation =
                PodExplainer.of(objects, inputs.catalogue()).explain(pod);
        PrintWriter out = spec.commandLine().getOut();
        out.print(
                switch (format) {
                    case JSON -> OutputForm.json(ExplanationText.tree(explanation));
                    case YAML -> OutputForm.yaml(ExplanationText.tree(explanation));
                    default -> FleetText.text(explanation);
                });
        out.flush();
        return explanation.waits() ? ExitCodes.FAILED : ExitCodes.OK;
    }

    private List<RequestsFile.Gang> gangs(SliceAllocator allocator) {
        List<RequestsFile.Gang> gangs = new ArrayList<>();
        for (int i = 0; i < profiles.size(); i++) {
            SliceRequest request = where.request(allocator, "request-" + (i + 1), profiles.get(i));
            gangs.add(new RequestsFile.Gang(request.claim(), Spread.ANYWHERE, List.of(request)));
        }
        if (requests != null) {
            gangs.addAll(RequestsFile.read(Inputs.document(requests)));
        }
        if (maxMoves < 0) {
            throw new UnusableInputException("--max-moves", maxMoves + " is negative");
        }
        return gangs;
    }

    private Answer answer(SliceAllocator allocator, RequestsFile.Gang gang) {
        boolean alone = gang.requests().size() == 1;
        Decision decision = alone
                ? allocator.allocate(gang.requests().get(0))
                : allocator.allocateGang(gang.requests(), gang.spread());
        Optional<MovePlan> plan = Optional.empty();
        if (decision instanceof Decision.Refused refused && refused.reason() == Decision.Reason.FRAGMENTED) {
            plan = alone
                    ? allocator.planAdmission(gang.requests().get(0), maxMoves)
                    : allocator.planGang(gang.requests(), gang.spread(), maxMoves);
        }
        return new Answer(gang.name(), decision, plan);
    }

    private static String text(List<Answer> answers) {
        StringBuilder text = new StringBuilder();
        for (Answer answer : answers) {
            text.append(answer.name()).append(": ");
            text.append(answer.decision().map(ExplainCommand::granted, ExplainCommand::refused));
            answer.plan()
                    .ifPresent(plan -> MoveText.admission(plan)
                            .lines()
                            .forEach(line -> text.append("  ").append(line).append('\n')));
        }
        return text.toString();
    }

    private static String granted(Decision.Granted granted) {
        return "granted, "
                + granted.claims().stream()
                        .map(claim -> claim.profile() + " on " + claim.device() + " at " + claim.start())
                        .collect(Collectors.joining(", "))
                + "\n";
    }

    private static String refused(Decision.Refused refused) {
        return reason(refused) + "\n  " + refused.explanation() + "\n";
    }

    private static String reason(Decision.Refused refused) {
        return refused.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static Map<String, Object> tree(Answer answer) {
        return answer.decision()
                .map(
                        granted -> Output.object(
                                "name",
                                answer.name(),
                                "decision",
                                "granted",
                                "claims",
                                granted.claims().stream()
                                        .map(ExplainCommand::claim)
                                        .toList()),
                        refused -> Output.object(
                                "name",
                                answer.name(),
                                "decision",
                                reason(refused),
                                "explanation",
                                refused.explanation(),
                                "plan",
                                answer.plan().map(MoveText::tree).orElse(Map.of())));
    }

    private static Map<String, Object> claim(SliceClaim claim) {
        return Output.object(
                "claim", claim.id(), "profile", claim.profile(), "device", claim.device(), "start", claim.start());
    }
}

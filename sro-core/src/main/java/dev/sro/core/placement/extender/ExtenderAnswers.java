package dev.sro.core.placement.extender;

import dev.sro.core.placement.NodeAnswers;
import dev.sro.core.placement.NodeNameList;
import dev.sro.core.placement.PlacementFleet;
import dev.sro.core.placement.SliceDemand;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answers of a scheduler extender that change nothing, {@code k8s.io/kube-scheduler/extender/v1}: a scheduler may ask as often as it likes.
 * Thread-safe.
 *
 * <p>A look at a table for each node that is asked about; scores of the nodes that were told just now cost no look while nothing has changed.
 */
public final class ExtenderAnswers {
    private static final byte[] NAMES = ascii("{\"Nodes\":null,\"NodeNames\":");
    private static final byte[] FULL = ascii(",\"FailedNodes\":");
    private static final byte[] UNSUITED = ascii(",\"FailedAndUnresolvableNodes\":");
    private static final byte[] ERROR = ascii(",\"Error\":");
    private static final byte[] QUOTE = ascii("\"");
    private static final byte[] HOST = ascii("{\"Host\":\"");
    /** Bytes of an answer beside those of its request, and those that a score needs more than a name. */
    private static final int REST = 256;

    private static final int BESIDE_SCORE = 22;

    /** What comes behind a name, by its score. */
    private final byte[][] scores = new byte[NodeAnswers.BEST + 1][];

    private final PlacementFleet fleet;
    private final PodDemands demands;
    private volatile @Nullable KnownNames told;

    /** Of nodes and slices as the fleet has them. */
    public ExtenderAnswers(PlacementFleet fleet, PodDemands demands) {
        this.fleet = fleet;
        this.demands = demands;
        for (int score = 0; score < scores.length; score++) {
            scores[score] = ascii("\",\"Score\":" + score + "}");
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Which nodes have room: {@code ExtenderFilterResult}, with what is wrong with the pod in {@code Error}.
     *
     * @param body {@code ExtenderArgs}; nobody may write to it any more
     * @throws IllegalArgumentException if the body is no JSON object
     */
    public byte[] filter(byte[] body) {
        ScheduleQuestion question = ScheduleQuestion.read(body, null);
        try {
            NodeNameList names = question.nodes();
            Optional<SliceDemand> demand = question.demand(demands);
            return demand.isEmpty()
                    ? filtered(NodeAnswers.all(names), "", body.length)
                    : filtered(fleet.ask(demand.get(), names), "", body.length);
        } catch (IllegalArgumentException e) {
            return filtered(NodeAnswers.all(NodeNameList.of(List.of())), String.valueOf(e.getMessage()), 0);
        }
    }

    private byte[] filtered(NodeAnswers answers, String error, int asked) {
        AnswerText text = new AnswerText(asked + REST).add(NAMES);
        NodeNameList names = answers.names().inJson();
        int[] fitting = answers.fitting();
        int from = text.length();
        text.add('[');
        for (int i = 0; i < fitting.length; i++) {
            text.next(i == 0, QUOTE, names, fitting[i], QUOTE);
        }
        text.add(']');
        int to = text.length();
        reasons(text.add(FULL), names, answers, answers.full());
        reasons(text.add(UNSUITED), names, answers, answers.unsuited());
        byte[] answer = text.add(ERROR).add(AnswerText.quoted(error)).add('}').bytes();
        told = new KnownNames(answers.part(fitting), answer, from, to);
        return answer;
    }

    private static void reasons(AnswerText text, NodeNameList names, NodeAnswers answers, int[] places) {
        text.add('{');
        String reason = "";
        byte[] after = QUOTE;
        for (int i = 0; i < places.length; i++) {
            // Nearly always the same one.
            if (i == 0 || !answers.reason(places[i]).equals(reason)) {
                reason = answers.reason(places[i]);
                after = AnswerText.quotedBehindName(reason);
            }
            text.next(i == 0, QUOTE, names, places[i], after);
        }
        text.add('}');
    }

    /**
     * How good nodes are: {@code HostPriorityList}.
     *
     * @param body {@code ExtenderArgs}; nobody may write to it any more
     * @throws IllegalArgumentException if the body is no JSON object, or what the pod asks for nobody can give
     */
    public byte[] prioritize(byte[] body) {
        KnownNames known = told;
        ScheduleQuestion question = ScheduleQuestion.read(body, known);
        NodeNameList names = question.nodes();
        int[] ranks = question.demand(demands)
                .map(demand -> answers(demand, names, known).scores())
                .orElseGet(() -> new int[names.size()]);
        NodeNameList written = names.inJson();
        AnswerText text = new AnswerText(body.length + names.size() * BESIDE_SCORE + REST).add('[');
        for (int i = 0; i < ranks.length; i++) {
            text.next(i == 0, HOST, written, i, scores[ranks[i]]);
        }
        return text.add(']').bytes();
    }

    private NodeAnswers answers(SliceDemand demand, NodeNameList names, @Nullable KnownNames known) {
        return known != null && known.names() == names && fleet.holds(demand, known.answers())
                ? known.answers()
                : fleet.ask(demand, names);
    }
}

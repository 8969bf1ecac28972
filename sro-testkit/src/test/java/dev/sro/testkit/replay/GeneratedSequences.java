package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Sends sequences of requests to two servers until an answer differs, and finds the shortest sequence that still shows it. Each one is
 * played in a namespace of its own. Not for several threads.
 */
final class GeneratedSequences {
    /** How often a sequence may be played again to make it shorter. */
    private static final int TRIES = 120;

    private static final int NOT_FOUND = 404;
    private static final int CLEANED = 5;
    private static final long PRIME = 1_000_003;

    /** Of the last of these requests; all before it were answered alike. */
    record Difference(List<ObjectNode> steps, Judgement theirs, Judgement ours, String edit) {
        /** What it is about, so that a shorter sequence can be told to show the same. */
        String kind() {
            return theirs.status() + " " + ours.status() + " "
                    + theirs.without(ours).keySet() + ours.without(theirs).keySet();
        }

        String text() {
            StringBuilder text = new StringBuilder("\n");
            for (ObjectNode step : steps.subList(0, steps.size() - 1)) {
                text.append("  after    ").append(step).append('\n');
            }
            return text.append("  request  ")
                    .append(steps.get(steps.size() - 1))
                    .append(edit.isEmpty() ? "" : "\n  sent     " + edit)
                    .append("\n  real     ")
                    .append(theirs.without(ours))
                    .append("\n  embedded ")
                    .append(ours.without(theirs))
                    .toString();
        }
    }

    private final Endpoint real;
    private final Endpoint embedded;
    private final ServedSchemas schemas;
    private final Map<String, SamplePaths.Place> places = new HashMap<>();
    private int played;
    private int requests;

    GeneratedSequences(Endpoint real, Endpoint embedded) {
        this.real = real;
        this.embedded = embedded;
        this.schemas = new ServedSchemas(real);
    }

    /** How many requests of sequences were compared. */
    int requests() {
        return requests;
    }

    /** The difference that the sequence of a seed comes to, if any. */
    Optional<Difference> play(long seed, List<ObjectNode> samples) {
        Random random = new Random(seed * PRIME);
        // Seeds that follow one another begin alike.
        random.nextInt();
        ObjectNode sample = samples.get(random.nextInt(samples.size())).deepCopy();
        SamplePaths.Place place = place(sample);
        List<ObjectNode> steps = new GeneratedRequests(random, schemas, sample, place).sequence();
        String path = path(sample, place);
        Difference difference = play(steps, path);
        requests += difference == null ? steps.size() : difference.steps().size();
        return Optional.ofNullable(difference);
    }

    private SamplePaths.Place place(ObjectNode sample) {
        return places.computeIfAbsent(SamplePaths.key(sample), key -> {
            SamplePaths.Place found = SamplePaths.of(real, sample);
            return new SamplePaths.Place(
                    found.collection().replace("/namespaces/samples/", "/namespaces/${ns}/"), found.subresources());
        });
    }

    private static String path(ObjectNode sample, SamplePaths.Place place) {
        return place.collection() + "/" + sample.path("metadata").path("name").asText();
    }

    private @Nullable Difference play(List<ObjectNode> steps, String path) {
        String namespace = "generated-" + played++;
        String object = path.replace("${ns}", namespace);
        List<GeneratedAnswer> servers = new ArrayList<>();
        for (Endpoint server : List.of(real, embedded)) {
            servers.add(new GeneratedAnswer(server, random -> new GeneratedObjects(random, schemas)));
            server.call(SamplePaths.request("POST", "/api/v1/namespaces", SamplePaths.named(namespace)));
            String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
            server.call(SamplePaths.request("POST", accounts, SamplePaths.named("default")));
            clean(server, object);
        }
        try {
            for (int i = 0; i < steps.size(); i++) {
                ObjectNode step = in(namespace, steps.get(i));
                Judgement theirs = servers.get(0).to(step, object);
                Judgement ours = servers.get(1).to(step, object);
                if (!theirs.equals(ours)) {
                    return new Difference(
                            List.copyOf(steps.subList(0, i + 1)),
                            theirs,
                            ours,
                            servers.get(1).edit());
                }
            }
            return null;
        } finally {
            clean(real, object);
            clean(embedded, object);
        }
    }

    private static ObjectNode in(String namespace, ObjectNode step) {
        try {
            return (ObjectNode) Endpoint.JSON.readTree(step.toString().replace("${ns}", namespace));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void clean(Endpoint server, String path) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("gracePeriodSeconds", 0).put("propagationPolicy", "Background");
        ObjectNode freed = JsonNodeFactory.instance.objectNode();
        freed.putObject("metadata").putNull("finalizers");
        for (int i = 0; i < CLEANED; i++) {
            if (server.call(SamplePaths.request("DELETE", path, options)).status() == NOT_FOUND) {
                return;
            }
            server.call(SamplePaths.request("PATCH", path, freed).put("contentType", "application/merge-patch+json"));
        }
    }

    /** The same difference after fewer requests, with less in them. */
    Difference shortest(Difference found, long seed, List<ObjectNode> samples) {
        Random random = new Random(seed * PRIME);
        random.nextInt();
        ObjectNode sample = samples.get(random.nextInt(samples.size()));
        String path = path(sample, place(sample));
        Difference least = found;
        for (int i = least.steps().size() - 2; i >= 0; i--) {
            List<ObjectNode> fewer = new ArrayList<>(least.steps());
            fewer.remove(i);
            least = better(least, fewer, path).orElse(least);
        }
        int tries = TRIES;
        for (int i = least.steps().size() - 1; i >= 0; i--) {
            for (int at = 0; tries > 0; tries--) {
                List<ObjectNode> smaller = new ArrayList<>(least.steps());
                ObjectNode step = smaller.get(i).deepCopy();
                smaller.set(i, step);
                if (!removed(step.path("body"), new int[] {at}) && !removed(step.path("query"), new int[] {at})) {
                    break;
                }
                Optional<Difference> next = better(least, smaller, path);
                at = next.isPresent() ? at : at + 1;
                least = next.orElse(least);
            }
        }
        return least;
    }

    /** The same difference by these requests, if it is still there. */
    private Optional<Difference> better(Difference least, List<ObjectNode> steps, String path) {
        Difference again = play(steps, path);
        boolean same = again != null
                && again.steps().size() == steps.size()
                && again.kind().equals(least.kind());
        return same ? Optional.ofNullable(again) : Optional.empty();
    }

    /** Takes away the field or item that comes as the so manieth, outer ones first; false where there are not so many. */
    private static boolean removed(JsonNode node, int[] at) {
        if (node instanceof ObjectNode object) {
            for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
                if (at[0]-- == 0) {
                    object.remove(field.getKey());
                    return true;
                }
                if (removed(field.getValue(), at)) {
                    return true;
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                if (at[0]-- == 0) {
                    array.remove(i);
                    return true;
                }
                if (removed(array.get(i), at)) {
                    return true;
                }
            }
        }
        return false;
    }
}

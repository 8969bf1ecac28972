package dev.sro.runtime.slices;

import dev.sro.core.slicing.SliceRequest;
import dev.sro.core.slicing.Spread;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.input.InputField;
import dev.sro.core.slicing.input.InputObject;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Reads requests: alone and in gangs. */
final class RequestsFile {
    private static final String SCHEMA = "sro.dev/slicing-requests/v1";
    private static final int MOST = 1_000_000;

    /**
     * Requests that are granted together; one that stands alone is a gang of one.
     *
     * @param name for messages
     */
    record Gang(String name, Spread spread, List<SliceRequest> requests) {}

    private RequestsFile() {}

    static List<Gang> read(InputDocument document) {
        InputObject file = document.root().object("schema", "requests", "gangs");
        file.get("schema").ifPresent(field -> field.mustBe(SCHEMA));
        List<Gang> gangs = new ArrayList<>();
        Map<String, Integer> lines = new HashMap<>();
        for (InputField entry : file.list("requests")) {
            requests(entry, lines)
                    .forEach(request -> gangs.add(new Gang(request.claim(), Spread.ANYWHERE, List.of(request))));
        }
        for (InputField entry : file.list("gangs")) {
            InputObject fields = entry.object("name", "spread", "requests");
            List<SliceRequest> all = new ArrayList<>();
            fields.required("requests")
                    .map(InputField::list)
                    .orElse(List.of())
                    .forEach(request -> all.addAll(requests(request, lines)));
            gangs.add(new Gang(
                    fields.string("name"),
                    fields.get("spread").flatMap(RequestsFile::spread).orElse(Spread.ANYWHERE),
                    all));
        }
        if (gangs.isEmpty() && !document.root().hasError()) {
            document.root().error("neither requests nor gangs has an entry");
        }
        document.check();
        return gangs;
    }

    private static Optional<Spread> spread(InputField field) {
        String text = field.string();
        Optional<Spread> found = Arrays.stream(Spread.values())
                .filter(spread -> name(spread).equals(text))
                .findFirst();
        if (found.isEmpty()) {
            field.error("\"" + text + "\" is not one of "
                    + String.join(
                            ", ",
                            Arrays.stream(Spread.values())
                                    .map(RequestsFile::name)
                                    .toList()));
        }
        return found;
    }

    private static String name(Spread spread) {
        return spread.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static List<SliceRequest> requests(InputField entry, Map<String, Integer> lines) {
        InputObject fields = entry.object(
                "claim",
                "profile",
                "count",
                "device",
                "node",
                "model",
                "topologyGroup",
                "labels",
                "pinned",
                "disruptionCost");
        String claim = fields.string("claim");
        String profile = fields.string("profile");
        int count = fields.integer("count", 1);
        if (count < 1 || count > MOST) {
            fields.get("count").orElse(entry).error(count + " is not between 1 and " + MOST);
        }
        int cost = fields.integer("disruptionCost", 1);
        if (cost < 1) {
            fields.get("disruptionCost").orElse(entry).error(cost + " is not positive");
        }
        SliceRequest.Builder request = SliceRequest.builder()
                .profile(profile)
                .device(fields.get("device").map(InputField::string))
                .node(fields.get("node").map(InputField::string))
                .model(fields.get("model").map(InputField::string))
                .topologyGroup(fields.get("topologyGroup").map(InputField::string))
                .labels(fields.texts("labels"))
                .pinned(fields.bool("pinned", false))
                .disruptionCost(cost);
        List<SliceRequest> requests = new ArrayList<>();
        for (int i = 0; i < count && !entry.hasError(); i++) {
            String id = fields.get("count").isPresent() ? claim + "-" + i : claim;
            Integer before = lines.putIfAbsent(id, entry.line());
            if (before != null) {
                fields.get("claim")
                        .orElse(entry)
                        .error(id + " is asked for in line " + before + " already; every claim needs its own name");
            }
            requests.add(request.claim(id).build());
        }
        return requests;
    }
}

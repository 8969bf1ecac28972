package dev.sro.runtime.demo;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.core.plan.Plan;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One JSON object for each event, each on its line: for programs. Confined to one thread. */
final class JsonView implements DemoView {

    private final PrintWriter out;
    private final ObjectMapper mapper = new ObjectMapper();
    private Map<Change.Place, Change> last = Map.of();

    JsonView(PrintWriter out) {
        this.out = out;
    }

    @Override
    public void begins(Phase phase) {
        Map<String, Object> event = event("phase");
        event.put("phase", phase.name());
        event.put("title", phase.title());
        print(event);
    }

    @Override
    public void update(Duration since, Plan plan) {
        Map<Change.Place, Change> now = Change.all(plan);
        if (now.isEmpty() && !last.isEmpty()) {
            Map<String, Object> event = event("leaving");
            event.put("clusterMillis", since.toMillis());
            print(event);
        }
        for (Change change : Change.between(last, now)) {
            Map<String, Object> event = event("outcome");
            event.put("clusterMillis", since.toMillis());
            event.put("state", change.place().state());
            event.put("pool", change.place().pool());
            put(event, "node", change.place().node());
            event.put("outcome", change.kind());
            put(event, "reason", change.reason());
            put(event, "message", change.message());
            print(event);
        }
        last = now;
    }

    @Override
    public void fleet(Duration since, List<String> lines) {
        Map<String, Object> event = event("fleet");
        event.put("clusterMillis", since.toMillis());
        event.put("lines", lines);
        print(event);
    }

    @Override
    public void ended(PhaseResult result) {
        result.writes().forEach(write -> {
            Map<String, Object> event = event("write");
            event.put("phase", result.phase().name());
            event.put("verb", write.verb());
            event.put("resource", write.resource());
            put(event, "namespace", write.namespace());
            event.put("name", write.name());
            event.put("status", write.status());
            print(event);
        });
        result.checks().forEach(check -> {
            Map<String, Object> event = event("check");
            event.put("phase", result.phase().name());
            event.put("ok", check.ok());
            event.put("text", check.text());
            if (!check.ok()) {
                event.put("detail", check.detail());
            }
            print(event);
        });
    }

    @Override
    public void summary(List<PhaseResult> results) {
        Map<String, Object> event = event("summary");
        event.put("ok", results.stream().allMatch(PhaseResult::ok));
        event.put("phases", results.stream().map(JsonView::phase).toList());
        print(event);
    }

    private static Map<String, Object> phase(PhaseResult result) {
        Map<String, Object> phase = new LinkedHashMap<>();
        phase.put("phase", result.phase().name());
        phase.put("objectsWritten", result.objects().size());
        phase.put("requests", result.requests());
        phase.put("millis", result.wallTime().toMillis());
        phase.put("clusterMillis", result.clusterTime().toMillis());
        return phase;
    }

    @Override
    public void say(String message) {
        Map<String, Object> event = event("message");
        event.put("message", message);
        print(event);
    }

    private static Map<String, Object> event(String name) {
        Map<String, Object> event = new LinkedHashMap<>();
        event.put("event", name);
        return event;
    }

    private static void put(Map<String, Object> event, String key, String value) {
        if (!value.isEmpty()) {
            event.put(key, value);
        }
    }

    private void print(Map<String, Object> event) {
        try {
            out.println(mapper.writeValueAsString(event));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("maps of texts and numbers can be written", e);
        }
    }
}

package dev.sro.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.time.Duration;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * What Prometheus gets of a port over plain HTTP, and what the documentation says that it gets. Immutable.
 *
 * @param types of each metric of SRO, by name
 * @param body the whole answer
 */
public record Scrape(SortedMap<String, String> types, String body) {
    /** Prometheus takes an answer of this type for its text format. */
    private static final String TEXT_FORMAT = "text/plain; version=0.0.4; charset=utf-8";

    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (sro_\\w+) (\\w+)$");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `(sro_\\w+)` \\| (\\w+) \\|");

    /** The answer to one request, which comes from this machine. */
    public static HttpResponse<String> get(int port, String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                                .timeout(Duration.ofSeconds(60))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }

    /** Asks for {@code /metrics}, and looks whether Prometheus would read the answer. */
    public static Scrape of(int port) throws IOException, InterruptedException {
        HttpResponse<String> answer = get(port, "/metrics");
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains(TEXT_FORMAT);
        assertThat(answer.body()).endsWith("\n");
        return new Scrape(found(TYPE, answer.body()), answer.body());
    }

    /** What the page of all metrics has in the part with this heading, such as {@code Of the allocator}. */
    public static SortedMap<String, String> documented(String heading) throws IOException {
        String page = Files.readString(Repository.file("docs/reference/metrics.md"));
        int start = page.indexOf("## " + heading + "\n");
        assertThat(start).as(heading).isNotNegative();
        int end = page.indexOf("\n## ", start);
        return found(ROW, page.substring(start, end < 0 ? page.length() : end));
    }

    private static SortedMap<String, String> found(Pattern pattern, String text) {
        SortedMap<String, String> types = new TreeMap<>();
        for (MatchResult match : pattern.matcher(text).results().toList()) {
            types.put(match.group(1), match.group(2));
        }
        return types;
    }
}

package dev.sro.runtime.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sro.runtime.Cli;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The index of all codes: what {@code sro explain} knows, in the order of the alphabet. Stateless. */
final class CodePage {
    private CodePage() {}

    static String write() {
        Map<String, String> rows = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        JsonNode entries;
        try {
            entries =
                    new ObjectMapper().readTree(Cli.run("explain", "-o", "json").out());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
        for (JsonNode entry : entries) {
            for (JsonNode code : entry.path("codes")) {
                rows.merge(code.asText(), row(code.asText(), entry), String::concat);
            }
        }
        return """
                # Codes, from A to Z

                Each code that SRO says in a status, an event, a finding or a message, who can mend it, and where it is explained. It is written from what `sro explain` knows; `sro explain CODE` says the same as the page.

                | code | owner | explained in |
                |---|---|---|
                """ + rows.values().stream().collect(Collectors.joining());
    }

    private static String row(String code, JsonNode entry) {
        String page = entry.path("page").asText();
        String heading = entry.path("heading").asText();
        String anchor =
                heading.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
        String link = page.startsWith("docs/reference/")
                ? page.substring("docs/reference/".length())
                : "../" + page.substring("docs/".length());
        return "| `" + code + "` | " + entry.at("/columns/owner").asText() + " | [" + heading + "](" + link + "#"
                + anchor + ") |\n";
    }
}

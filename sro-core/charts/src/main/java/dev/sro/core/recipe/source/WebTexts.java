package dev.sro.core.recipe.source;

import dev.sro.core.recipe.chart.ChartException;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** Gets texts from web servers, within limits. Thread-safe. */
public final class WebTexts {

    /** A graph of all versions of a channel has some MiB. */
    private static final int MAX_BYTES = 32 << 20;

    private final HttpFiles http;

    /**
     * @param clients connects
     * @param limit how long an answer may take
     */
    public WebTexts(HttpClients clients, Duration limit) {
        this.http = new HttpFiles(clients, limit, "make it known to SRO's Java");
    }

    /**
     * The text at the address.
     *
     * @throws IOException if it cannot be had; the message says why
     */
    public String get(String url) throws IOException {
        try {
            URI uri = URI.create(url);
            HttpFiles.Answer answer =
                    http.get(uri, TlsSettings.DEFAULT, "", Map.of("Accept", "application/json"), MAX_BYTES);
            return new String(
                    answer.orFail("There is no such address", "The server wants a login")
                            .body(),
                    StandardCharsets.UTF_8);
        } catch (ChartException e) {
            throw new IOException(e.problem().message(), e);
        } catch (IllegalArgumentException e) {
            throw new IOException("\"" + url + "\" is no address", e);
        }
    }
}

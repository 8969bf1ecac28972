package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An open watch. */
final class WatchStream {
    private final List<JsonNode> events = new ArrayList<>();
    private @Nullable InputStream body;
    private Endpoint.@Nullable Reply refused;
    private boolean started;
    private boolean done;
    private boolean stopped;
    private long last = System.nanoTime();

    void read(HttpClient http, HttpRequest request) {
        try {
            HttpResponse<InputStream> answer = http.send(request, HttpResponse.BodyHandlers.ofInputStream());
            if (answer.statusCode() != 200) {
                refused(answer);
                return;
            }
            started(answer.body());
            BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8));
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                add(Endpoint.JSON.readTree(line));
            }
        } catch (IOException closed) {
            // The end of the watch, ours or the server's.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            finish();
        }
    }

    private synchronized void refused(HttpResponse<InputStream> answer) throws IOException {
        refused = new Endpoint.Reply(
                answer.statusCode(), Endpoint.tree(answer.body().readAllBytes()), "", List.of());
    }

    private synchronized void started(InputStream in) {
        body = in;
        started = true;
        notifyAll();
    }

    private synchronized void add(JsonNode event) {
        if (!stopped) {
            events.add(event);
            last = System.nanoTime();
        }
    }

    private synchronized void finish() {
        done = true;
        started = true;
        notifyAll();
    }

    synchronized void awaitStart() {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!started && System.nanoTime() < end) {
            try {
                wait(100);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    synchronized boolean done() {
        return done;
    }

    synchronized List<JsonNode> events() {
        return List.copyOf(events);
    }

    synchronized Endpoint.@Nullable Reply refused() {
        return refused;
    }

    synchronized Duration quiet() {
        return Duration.ofNanos(System.nanoTime() - last);
    }

    synchronized void touch() {
        last = System.nanoTime();
    }

    /** Ends the watch; nothing more is taken in. */
    void stop() {
        InputStream in;
        synchronized (this) {
            stopped = true;
            in = body;
        }
        try {
            if (in != null) {
                in.close();
            }
        } catch (IOException ignored) {
            // It is closed then.
        }
    }
}

package dev.sro.testkit.replay;

import dev.sro.testkit.EmbeddedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;

/** A stepped embedded cluster behind its HTTP front: controllers work only while the scenario waits. */
final class EmbeddedEndpoint extends Endpoint {
    private final EmbeddedCluster cluster;

    EmbeddedEndpoint(HttpClient http, EmbeddedCluster cluster) {
        super(http, serve(cluster), "");
        this.cluster = cluster;
    }

    private static URI serve(EmbeddedCluster cluster) {
        try {
            return cluster.serveHttp(0).uri();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void pass(Duration time) {
        cluster.advance(time);
    }

    @Override
    boolean stepped() {
        return true;
    }
}

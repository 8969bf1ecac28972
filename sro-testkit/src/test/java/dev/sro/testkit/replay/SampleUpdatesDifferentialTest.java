package dev.sro.testkit.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.controlplane.Binaries;
import dev.sro.testkit.controlplane.Component;
import dev.sro.testkit.controlplane.ControlPlane;
import dev.sro.testkit.controlplane.Feature;
import dev.sro.testkit.controlplane.RealCluster;
import dev.sro.testkit.controlplane.RealControlPlane;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The samples are made in both servers and changed, applied, read and deleted at random, a few requests each, until an answer differs.
 * The real server has no controllers, so that nobody else writes.
 */
@RealControlPlane(needs = Feature.RESTART)
class SampleUpdatesDifferentialTest {
    /** Others: {@code -Dsro.differential.seed=1 -Dsro.differential.count=1000}. */
    private static final long SEED = Long.getLong("sro.differential.seed", 0);

    private static final int COUNT = Integer.getInteger("sro.differential.count", 150);
    private static final int SHOWN = Integer.getInteger("sro.differential.shown", 20);
    private static final int STEPS = 5;
    private static final long PRIME = 1_000_003;
    private static final int NOT_FOUND = 404;
    private static final int TRIES = 5;

    /** How many of a hundred requests may be answered otherwise: 17 when this was first tried, 5 by now, of seeds that nobody looked at. */
    private static final int MAY_DIFFER = Integer.getInteger("sro.differential.may", 7);

    /** A namespace goes when controllers let it; the others would hold up or refuse what comes after them. */
    private static final Set<String> LEFT_OUT = Set.of("Namespace", "APIService", "LimitRange", "ResourceQuota");

    private final Map<String, SamplePaths.Place> places = new HashMap<>();
    private final List<String> differences = new ArrayList<>();
    private int requests;

    @Test
    void bothServersAnswerAlike(RealCluster cluster) throws Exception {
        Map<Component, Path> files = new EnumMap<>(Component.class);
        Binaries all = cluster.controlPlane().binaries();
        for (Component component : List.of(Component.ETCD, Component.API_SERVER)) {
            files.put(component, Objects.requireNonNull(all.files().get(component)));
        }
        try (ControlPlane alone = ControlPlane.start(new Binaries(files));
                EmbeddedCluster own = EmbeddedCluster.builder().build()) {
            Config config = alone.config();
            HttpClient trusting = HttpClient.newBuilder()
                    .sslContext(SSLUtils.sslContext(config))
                    .version(HttpClient.Version.HTTP_1_1)
                    .build();
            String token = config.getAutoOAuthToken() == null ? config.getOauthToken() : config.getAutoOAuthToken();
            Endpoint real = Endpoint.real(trusting, URI.create(config.getMasterUrl()), token == null ? "" : token);
            compare(real, new EmbeddedEndpoint(HttpClient.newHttpClient(), own));
        }
        assertThat(differences)
                .as(
                        "%d of %d requests, the first: %s",
                        differences.size(), requests, differences.subList(0, Math.min(SHOWN, differences.size())))
                .hasSizeLessThanOrEqualTo(requests * MAY_DIFFER / 100);
    }

    private void compare(Endpoint real, Endpoint embedded) throws IOException {
        List<ObjectNode> samples = new ArrayList<>(SamplePaths.samples());
        samples.removeIf(sample -> LEFT_OUT.contains(sample.path("kind").asText()));
        for (Endpoint server : List.of(real, embedded)) {
            server.call(SamplePaths.request("POST", "/api/v1/namespaces", SamplePaths.named("samples")));
            String accounts = "/api/v1/namespaces/samples/serviceaccounts";
            server.call(SamplePaths.request("POST", accounts, SamplePaths.named("default")));
        }
        for (int i = 0; i < COUNT; i++) {
            Random random = new Random(SEED * PRIME + i);
            ObjectNode sample = samples.get(random.nextInt(samples.size())).deepCopy();
            if (sample.path("kind").asText().equals("Pod")) {
                ((ObjectNode) sample.path("spec"))
                        .put("automountServiceAccountToken", false)
                        .put("serviceAccountName", "default");
            }
            String key = SamplePaths.key(sample);
            SamplePaths.Place place = places.computeIfAbsent(key, k -> SamplePaths.of(real, sample));
            String path = place.collection() + "/"
                    + sample.path("metadata").path("name").asText();
            clean(real, path);
            clean(embedded, path);
            live(new SampleRequests(random), sample, place, path, List.of(real, embedded));
            clean(real, path);
            clean(embedded, path);
        }
    }

    private void live(
            SampleRequests source, ObjectNode sample, SamplePaths.Place place, String path, List<Endpoint> servers) {
        List<String> before = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            ObjectNode request = step == 0
                    ? SamplePaths.request("POST", place.collection(), sample)
                    : source.next(sample, place.collection(), place.subresources());
            List<Judgement> answers = new ArrayList<>();
            for (Endpoint server : servers) {
                answers.add(Judgement.ofAny(server.call(SamplePaths.own(request, server, path))));
            }
            requests++;
            Judgement theirs = answers.get(0);
            Judgement ours = answers.get(1);
            if (!theirs.equals(ours)) {
                differences.add("\n" + request + "\n  real     " + theirs.without(ours) + "\n  embedded "
                        + ours.without(theirs)
                        + "\n  after    " + before);
                return;
            }
            before.add(request.path("method").asText() + " " + request.path("query") + " " + request.path("body")
                    + " = " + theirs.status());
        }
    }

    private static void clean(Endpoint server, String path) {
        ObjectNode options = JsonNodeFactory.instance.objectNode();
        options.put("gracePeriodSeconds", 0).put("propagationPolicy", "Background");
        ObjectNode freed = JsonNodeFactory.instance.objectNode();
        freed.putObject("metadata").putNull("finalizers");
        for (int i = 0; i < TRIES; i++) {
            if (server.call(SamplePaths.request("DELETE", path, options)).status() == NOT_FOUND) {
                return;
            }
            ObjectNode patch = SamplePaths.request("PATCH", path, freed);
            server.call(patch.put("contentType", "application/merge-patch+json"));
        }
    }
}

package dev.sro.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.conformance.HttpCaller.Answer;
import dev.sro.testkit.conformance.HttpCaller.Caller;
import io.fabric8.kubernetes.api.model.Pod;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What of tokens and priorities no case shows that runs on a real server, too: time that passes, and what all pods get. */
class AccountsTest {
    private static final String JSON = "application/json";
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts";
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String CLASSES = "/apis/scheduling.k8s.io/v1/priorityclasses";

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final EmbeddedCaller caller = new EmbeddedCaller(cluster);

    @AfterEach
    void close() {
        cluster.close();
    }

    private Answer post(String path, String body) {
        return caller.call("POST", path, JSON, body);
    }

    private int listedWith(String token) {
        return caller.call("GET", MAPS, null, null, new Caller(null, token)).status();
    }

    @Test
    void aTokenEndsWithItsTime() {
        post(ACCOUNTS, "{\"metadata\": {\"name\": \"reader\"}}");
        String token = post(ACCOUNTS + "/reader/token", "{\"spec\": {\"expirationSeconds\": 900}}")
                .body()
                .at("/status/token")
                .asText();
        assertThat(listedWith(token)).as("known, and without rights").isEqualTo(403);

        cluster.advance(Duration.ofSeconds(899));
        assertThat(listedWith(token)).isEqualTo(403);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(listedWith(token)).isEqualTo(401);
    }

    @Test
    void aTokenThatSomebodyChangedIsNone() {
        post(ACCOUNTS, "{\"metadata\": {\"name\": \"reader\"}}");
        String token = post(ACCOUNTS + "/reader/token", "{\"spec\": {}}")
                .body()
                .at("/status/token")
                .asText();
        int dot = token.indexOf('.') + 1;

        assertThat(listedWith(token.substring(0, dot) + "e30" + token.substring(token.lastIndexOf('.'))))
                .isEqualTo(401);
        assertThat(listedWith(token + "x")).isEqualTo(401);
        assertThat(listedWith("of-somebody-else")).as("the administrator's").isEqualTo(200);
    }

    @Test
    void onePriorityClassIsForPodsThatNameNone() {
        String body =
                "{\"metadata\": {\"name\": \"%s\"}, \"value\": %d, \"globalDefault\": true, \"preemptionPolicy\": \"Never\"}";
        assertThat(post(CLASSES, body.formatted("usual", 7)).status()).isEqualTo(201);

        Answer second = post(CLASSES, body.formatted("other", 5));
        assertThat(second.status()).isEqualTo(403);
        assertThat(second.body().path("message").asText())
                .isEqualTo("priorityclasses.scheduling.k8s.io \"other\" is forbidden: PriorityClass usual is already"
                        + " marked as default. Only one default can exist");

        post(ACCOUNTS, "{\"metadata\": {\"name\": \"default\"}}");
        post(
                "/api/v1/namespaces/default/pods",
                "{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"containers\": [{\"name\": \"a\", \"image\": \"a\"}]}}");
        Pod pod = cluster.client().pods().inNamespace("default").withName("a").get();
        assertThat(pod.getSpec().getPriorityClassName()).isEqualTo("usual");
        assertThat(pod.getSpec().getPriority()).isEqualTo(7);
        assertThat(pod.getSpec().getPreemptionPolicy()).isEqualTo("Never");
    }
}

package dev.sro.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.agent.claims.ApiServer;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Work goes by the node, not by the cluster. */
class ClaimsInUseTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String DRIVER = "slices.sro.dev";
    private static final String POOL = "n1-" + DRIVER;
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final EmbeddedCluster cluster = EmbeddedCluster.create();
    private final ClaimsInUse claims;

    ClaimsInUseTest() throws IOException {
        ApiServer server = ApiServer.at(cluster.serveHttp(0).uri(), Optional.empty(), Optional.empty());
        claims = new ClaimsInUse(new ApiSlices(server, "n1", DRIVER));
        create(Gvr.NAMESPACES, "{'apiVersion':'v1','kind':'Namespace','metadata':{'name':'ns'}}");
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void create(Gvr type, String text) throws IOException {
        cluster.api().create(type, (ObjectNode) JSON.readTree(text.replace('\'', '"')));
    }

    private void claim(String name) throws IOException {
        create(
                Gvr.RESOURCECLAIMS,
                "{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'" + name
                        + "','namespace':'ns'},'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':"
                        + "'c'}}]}}}");
    }

    private void allocate(String claim, String device) throws IOException {
        JsonNode status = JSON.readTree(("{'allocation':{'devices':{'results':[{'request':'r','driver':'" + DRIVER
                        + "','pool':'" + POOL + "','device':'" + device + "'}]}}}")
                .replace('\'', '"'));
        cluster.api().update(Gvr.RESOURCECLAIMS, "ns", claim, "status", old -> old.set("status", status));
    }

    /** Monitoring asks for all devices that way, whoever has them. */
    @Test
    void whatIsGivenWithAdminAccessIsInNobodysUse() throws Exception {
        cluster.api().update(Gvr.NAMESPACES, "", "ns", "", old -> {
            old.withObject("/metadata/labels").put("resource.kubernetes.io/admin-access", "true");
            return old;
        });
        claim("c1");
        JsonNode status = JSON.readTree(("{'allocation':{'devices':{'results':[{'request':'r','driver':'" + DRIVER
                        + "','pool':'" + POOL + "','device':'gpu-a','adminAccess':true}]}}}")
                .replace('\'', '"'));
        cluster.api().update(Gvr.RESOURCECLAIMS, "ns", "c1", "status", old -> old.set("status", status));
        assertThat(use(0, true)).isEmpty();
    }

    private Set<String> use(int seconds, boolean all) throws IOException {
        return claims.use(POOL, List.of(), START.plusSeconds(seconds), all).devices();
    }

    @Test
    void whereThereAreManyOnlyThoseOfTheNodeAreAskedFor() throws Exception {
        for (int i = 0; i <= ClaimsInUse.FEW; i++) {
            claim("c" + i);
        }
        allocate("c1", "gpu-a");
        allocate("c2", "gpu-b");
        assertThat(use(0, false)).containsExactlyInAnyOrder("gpu-a", "gpu-b");
        assertThat(claims.complete(START)).isTrue();

        cluster.faults()
                .rule()
                .verbs("list")
                .resources("resourceclaims.resource.k8s.io")
                .internalError();
        assertThat(cluster.api().delete(Gvr.RESOURCECLAIMS, "ns", "c1", DeleteOptions.DEFAULT))
                .isTrue();
        assertThat(use(1, false)).as("no list").containsExactly("gpu-b");
        assertThat(claims.complete(START.plusSeconds(1))).isFalse();
        assertThatThrownBy(() -> use(2, true)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> use(3601, false)).isInstanceOf(IOException.class);

        cluster.faults().clear();
        allocate("c3", "gpu-c");
        assertThat(use(3, false)).containsExactly("gpu-b");
        assertThat(use(4, true)).containsExactlyInAnyOrder("gpu-b", "gpu-c");
    }

    @Test
    void whereThereAreFewAllAreReadEachTime() throws Exception {
        claim("c1");
        assertThat(use(0, false)).isEmpty();
        allocate("c1", "gpu-a");
        assertThat(use(1, false)).containsExactly("gpu-a");
    }
}

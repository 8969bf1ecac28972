package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods with claims start when drivers have prepared these, and go when drivers have taken that back. */
class DraKubeletTest {
    private final SimWorld world = new SimWorld();
    private final List<String> calls = new ArrayList<>();
    private String fault = DraDriver.DONE;

    private final DraDriver driver = new DraDriver() {
        @Override
        public String prepare(String node, ObjectNode claim) {
            calls.add("prepare " + JsonNodes.name(claim));
            return fault;
        }

        @Override
        public String unprepare(String node, String namespace, String name, String uid) {
            calls.add("unprepare " + name);
            return fault;
        }
    };

    @BeforeEach
    void podWithClaim() {
        world.node("n1").advance("PT5S");
        world.sim.dra().unregister("n1", "d.example.com");
        create(Gvr.DEVICECLASSES, "{'kind':'DeviceClass','metadata':{'name':'gpu'},'spec':{}");
        create(
                Gvr.RESOURCESLICES,
                "{'kind':'ResourceSlice','metadata':{'name':'s'},'spec':{'driver':'d.example.com','nodeName':'n1','pool':"
                        + "{'name':'n1','generation':1,'resourceSliceCount':1},'devices':[{'name':'d1'}]}");
        create(
                Gvr.RESOURCECLAIMS,
                "{'kind':'ResourceClaim','metadata':{'name':'c','namespace':'ns'},'spec':{'devices':{'requests':[{'name':'r',"
                        + "'exactly':{'deviceClassName':'gpu'}}]}}");
        world.pod("p", SimWorld.podSpec("img:1", ",'resourceClaims':[{'name':'d','resourceClaimName':'c'}]"));
        world.advance("PT10S");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void create(Gvr type, String text) {
        world.api.create(type, SimWorld.json(text.replaceFirst("\\{", "{'apiVersion':'resource.k8s.io/v1',") + "}"));
    }

    private String phase() {
        return world.api
                .get(Gvr.PODS, "ns", "p")
                .map(p -> JsonNodes.text(p, "status", "phase"))
                .orElse("gone");
    }

    private boolean ready() {
        return Pods.ready(world.api.get(Gvr.PODS, "ns", "p").orElseThrow());
    }

    @Test
    void startsWhenTheDriverIsThere() {
        assertThat(phase()).isEqualTo("Pending");
        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT2S");
        assertThat(phase()).isEqualTo("Running");
        assertThat(calls).containsExactly("prepare c");
        assertThat(world.sim.dra().prepared("n1")).hasSize(1);
    }

    @Test
    void asksAgainWhenTheDriverFails() {
        fault = "no GPU";
        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT12S");
        assertThat(phase()).isEqualTo("Pending");
        fault = DraDriver.DONE;
        world.advance("PT12S");
        assertThat(phase()).isEqualTo("Running");
        assertThat(calls).hasSizeGreaterThanOrEqualTo(3).containsOnly("prepare c");
    }

    @Test
    void keepsClaimsOverARebootAndEndsNoPodWhileTheDriverIsAway() {
        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT2S");
        world.sim.nodes().reboot("n1");
        world.advance("PT60S");
        assertThat(world.sim.dra().prepared("n1")).hasSize(1);
        assertThat(world.sim.dra().isRegistered("n1", "d.example.com")).isFalse();
        assertThat(ready()).isFalse();

        world.api.delete(Gvr.PODS, "ns", "p", DeleteOptions.DEFAULT);
        world.advance("PT10M");
        assertThat(phase()).as("a pod that nobody can unprepare").isNotEqualTo("gone");

        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT5S");
        assertThat(phase()).isEqualTo("gone");
        assertThat(calls).endsWith("unprepare c");
        assertThat(world.sim.dra().prepared("n1")).isEmpty();
    }

    @Test
    void preparesAgainAfterAReboot() {
        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT2S");
        world.sim.nodes().reboot("n1");
        world.advance("PT60S");
        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT5S");
        assertThat(ready()).isTrue();
        assertThat(calls).containsExactly("prepare c", "prepare c");
    }

    @Test
    void takesBackWhatAPodHadBeforeItGoes() {
        world.sim.dra().register("n1", "d.example.com", driver);
        world.advance("PT2S");
        world.api.delete(Gvr.PODS, "ns", "p", DeleteOptions.DEFAULT);
        world.advance("PT40S");
        assertThat(phase()).isEqualTo("gone");
        assertThat(calls).containsExactly("prepare c", "unprepare c");
        ObjectNode claim = world.api.get(Gvr.RESOURCECLAIMS, "ns", "c").orElseThrow();
        assertThat(ClaimNames.allocated(claim)).isFalse();
        assertThat(JsonNodes.texts(claim, "metadata", "finalizers")).isEmpty();
    }
}

package dev.sro.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.server.DeleteOptions;
import dev.sro.testkit.server.Gvr;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods get the devices that they claim, in the order in which these are published. */
class DeviceSchedulingTest {
    private static final String CLAIM = "'resourceClaims':[{'name':'d','resourceClaimTemplateName':'t'}]";

    private final SimWorld world = new SimWorld();

    @BeforeEach
    void oneNode() {
        world.node("n1").advance("PT5S");
        create(Gvr.DEVICECLASSES, "DeviceClass", "gpu", "'spec':{'extendedResourceName':'example.com/gpu'}");
    }

    @AfterEach
    void close() {
        world.close();
    }

    private void create(Gvr type, String kind, String name, String content) {
        boolean cluster = type.equals(Gvr.RESOURCESLICES) || type.equals(Gvr.DEVICECLASSES);
        world.api.create(
                type,
                SimWorld.json("{'apiVersion':'resource.k8s.io/v1','kind':'" + kind + "','metadata':{'name':'" + name
                        + "'" + (cluster ? "" : ",'namespace':'ns'") + "}," + content + "}"));
    }

    private void slice(String name, int count, String content) {
        create(
                Gvr.RESOURCESLICES,
                "ResourceSlice",
                name,
                "'spec':{'driver':'d.example.com','nodeName':'n1','pool':{'name':'n1','generation':1,'resourceSliceCount':"
                        + count + "}," + content + "}");
    }

    private void template(String devices) {
        create(
                Gvr.RESOURCECLAIMTEMPLATES,
                "ResourceClaimTemplate",
                "t",
                "'spec':{'spec':{'devices':{" + devices + "}}}");
    }

    private void pod(String name, String more) {
        world.pod(name, SimWorld.podSpec("img:1", "," + more));
        world.advance("PT2S");
    }

    private List<String> devices(String pod) {
        List<String> found = new ArrayList<>();
        ObjectNode stored = world.api.get(Gvr.PODS, "ns", pod).orElseThrow();
        for (String name : ClaimNames.all(stored)) {
            ObjectNode claim = world.api.get(Gvr.RESOURCECLAIMS, "ns", name).orElseThrow();
            JsonNodes.at(claim, "status", "allocation", "devices", "results")
                    .forEach(r -> found.add(JsonNodes.text(r, "device")));
        }
        return found;
    }

    private String scheduled(String pod) {
        JsonNode condition = Conditions.find(world.api.get(Gvr.PODS, "ns", pod).orElseThrow(), "PodScheduled");
        return JsonNodes.text(condition, "status") + JsonNodes.text(condition, "message");
    }

    @Test
    void takesTheFirstDeviceOfTheFirstSliceByName() {
        slice("b", 2, "'devices':[{'name':'b1'}]");
        slice("a", 2, "'devices':[{'name':'a2'},{'name':'a1'}]");
        template("'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'}}]");
        for (String pod : List.of("p", "q", "r")) {
            pod(pod, CLAIM);
        }
        assertThat(devices("p")).containsExactly("a2");
        assertThat(devices("q")).containsExactly("a1");
        assertThat(devices("r")).containsExactly("b1");
    }

    @Test
    void givesNoDeviceThatItsCountersDoNotAllow() {
        slice("0", 2, "'sharedCounters':[{'name':'g','counters':{'m':{'value':'3'}}}]");
        slice("1", 2, "'devices':[" + part("whole", 3) + "," + part("half", 2) + "," + part("rest", 1) + "]");
        template("'requests':[{'name':'r','exactly':{'deviceClassName':'gpu','selectors':[{'cel':{'expression':"
                + "'device.attributes[device.driver].m < 3'}}]}}]");
        pod("p", CLAIM);
        pod("q", CLAIM);
        pod("r", CLAIM);
        assertThat(devices("p")).containsExactly("half");
        assertThat(devices("q")).containsExactly("rest");
        assertThat(scheduled("r")).startsWith("False0/1 nodes are available: 1 cannot allocate all claims.");

        world.api.delete(Gvr.PODS, "ns", "p", DeleteOptions.DEFAULT);
        world.advance("PT40S");

        assertThat(devices("r")).containsExactly("half");
    }

    private static String part(String name, int amount) {
        return "{'name':'" + name + "','attributes':{'m':{'int':" + amount + "}},'consumesCounters':[{'counterSet':'g',"
                + "'counters':{'m':{'value':'" + amount + "'}}}]}";
    }

    @Test
    void anUnchangedPodGetsTheDeviceOfAnExtendedResource() {
        slice("a", 1, "'devices':[{'name':'a1'}]");
        world.pod("p", "{'containers':[{'name':'c','image':'img:1','resources':{'limits':{'example.com/gpu':'1'}}}]}");
        world.advance("PT5S");
        assertThat(devices("p")).containsExactly("a1");
        ObjectNode pod = world.api.get(Gvr.PODS, "ns", "p").orElseThrow();
        assertThat(JsonNodes.text(pod, "status", "phase")).isEqualTo("Running");
        assertThat(JsonNodes.at(pod, "status", "extendedResourceClaimStatus", "requestMappings", "none"))
                .isEmpty();
    }

    @Test
    void goesToTheNodeWithTheBetterAlternative() {
        world.node("n2").advance("PT5S");
        slice("a", 1, "'devices':[{'name':'poor','attributes':{'good':{'bool':false}}}]");
        create(
                Gvr.RESOURCESLICES,
                "ResourceSlice",
                "b",
                "'spec':{'driver':'d.example.com','nodeName':'n2','pool':{'name':'n2','generation':1,'resourceSliceCount':1},"
                        + "'devices':[{'name':'good','attributes':{'good':{'bool':true}}}]}");
        template(
                "'requests':[{'name':'r','firstAvailable':[{'name':'best','deviceClassName':'gpu','selectors':[{'cel':"
                        + "{'expression':'device.attributes[device.driver].good'}}]},{'name':'any','deviceClassName':'gpu'}]}]");
        pod("p", CLAIM);
        assertThat(devices("p")).containsExactly("good");
    }

    @Test
    void anIncompletePoolGivesNothing() {
        slice("a", 2, "'devices':[{'name':'a1'}]");
        template("'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'}}]");
        pod("p", CLAIM);
        assertThat(scheduled("p")).contains("cannot allocate all claims");
        slice("b", 2, "'devices':[{'name':'b1'}]");
        world.advance("PT2S");
        assertThat(devices("p")).containsExactly("a1");
    }
}

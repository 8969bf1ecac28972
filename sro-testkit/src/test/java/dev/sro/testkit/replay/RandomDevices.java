package dev.sro.testkit.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Objects of {@code resource.k8s.io}: valid ones, and what becomes of them when a few places are changed at random. */
final class RandomDevices {
    /** Valid objects by kind; of a claim with its status. */
    static final Map<String, List<String>> VALID = Map.of(
            "ResourceSlice",
            List.of(
                    "{'spec':{'driver':'d.example.com','nodeName':'n1','pool':{'name':'n1','generation':1,'resourceSliceCount':2},"
                            + "'devices':[{'name':'a','attributes':{'model':{'string':'A100'},'slots':{'int':7},'ok':{'bool':true},"
                            + "'d.example.com/ver':{'version':'1.2.3-rc.1'}},'capacity':{'memory':{'value':'40Gi'}},'consumesCounters':"
                            + "[{'counterSet':'gpu-0','counters':{'memory':{'value':'10Gi'}}}]},{'name':'b','taints':[{'key':"
                            + "'example.com/x','value':'y','effect':'NoSchedule'}]}]}}",
                    "{'spec':{'driver':'d.example.com','nodeName':'n1','pool':{'name':'n1','generation':0,'resourceSliceCount':2},"
                            + "'sharedCounters':[{'name':'gpu-0','counters':{'memory':{'value':'40Gi'},'slice-0':{'value':'1'}}},"
                            + "{'name':'gpu-1','counters':{'memory':{'value':'40Gi'}}}]}}",
                    "{'spec':{'driver':'d.example.com','allNodes':true,'pool':{'name':'net/x.y','generation':3,'resourceSliceCount':1},"
                            + "'devices':[{'name':'a','bindsToNode':true,'bindingConditions':['example.com/ready'],"
                            + "'bindingFailureConditions':['example.com/failed']}]}}",
                    "{'spec':{'driver':'d.example.com','perDeviceNodeSelection':true,'pool':{'name':'p','generation':1,"
                            + "'resourceSliceCount':1},'devices':[{'name':'a','nodeName':'n1'},{'name':'b','allNodes':true},{'name':'c',"
                            + "'nodeSelector':{'nodeSelectorTerms':[{'matchExpressions':[{'key':'zone','operator':'In','values':['x']}]}]}}]}}",
                    "{'spec':{'driver':'d.example.com','nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
                            + "'operator':'In','values':['n1']}]}]},'pool':{'name':'p','generation':1,'resourceSliceCount':1},'devices':"
                            + "[{'name':'a','allowMultipleAllocations':true,'capacity':{'bw':{'value':'10','requestPolicy':{'default':'2',"
                            + "'validValues':['1','2','4']}},'mem':{'value':'8Gi','requestPolicy':{'default':'1Gi','validRange':{'min':'1Gi',"
                            + "'max':'4Gi','step':'1Gi'}}}}}]}}"),
            "DeviceClass",
            List.of(
                    "{'spec':{'selectors':[{'cel':{'expression':'device.driver == \\'d.example.com\\''}}],'config':[{'opaque':"
                            + "{'driver':'d.example.com','parameters':{'a':1}}}],'extendedResourceName':'example.com/gpu'}}"),
            "ResourceClaim",
            List.of(
                    "{'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'gpu','count':2,'selectors':[{'cel':"
                            + "{'expression':'device.attributes[\\'d.example.com\\'].slots >= 3'}}],'tolerations':[{'key':'example.com/x',"
                            + "'operator':'Exists','effect':'NoSchedule'},{'key':'k','value':'v'}]}},{'name':'s','firstAvailable':[{'name':"
                            + "'one','deviceClassName':'gpu'},{'name':'two','deviceClassName':'big.gpu','allocationMode':'All'}]}],"
                            + "'constraints':[{'requests':['r','s'],'matchAttribute':'d.example.com/model'},{'distinctAttribute':"
                            + "'d.example.com/slots'}],'config':[{'requests':['s/one'],'opaque':{'driver':'d.example.com','parameters':"
                            + "{'mode':'fast'}}}]}}}",
                    "{'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'}}]}}}"),
            "ResourceClaimTemplate",
            List.of(
                    "{'spec':{'metadata':{'labels':{'a':'b'},'annotations':{'x':'y'}},'spec':{'devices':{'requests':[{'name':'r',"
                            + "'exactly':{'deviceClassName':'gpu','allocationMode':'All','adminAccess':false}}]}}}}"),
            "status",
            List.of(
                    "{'allocation':{'devices':{'results':[{'request':'r','driver':'d.example.com','pool':'n1','device':'a'},{'request':"
                            + "'s/one','driver':'d.example.com','pool':'n1','device':'b','tolerations':[{'key':'k','operator':'Exists'}]}],"
                            + "'config':[{'source':'FromClass','requests':['r'],'opaque':{'driver':'d.example.com','parameters':{'a':1}}}]},"
                            + "'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name','operator':'In','values':['n1']}]}]}},"
                            + "'reservedFor':[{'resource':'pods','name':'p','uid':'11111111-1111-1111-1111-111111111111'}],'devices':"
                            + "[{'driver':'d.example.com','pool':'n1','device':'a','conditions':[{'type':'Ready','status':'True','reason':'Ok',"
                            + "'message':'','lastTransitionTime':'2026-01-01T00:00:00Z'}],'data':{'x':1},'networkData':{'interfaceName':'eth0',"
                            + "'ips':['10.0.0.1/24'],'hardwareAddress':'aa'}}]}"));

    static final List<String> EXPRESSIONS = List.of(
            "device.driver == 'x'",
            "device.driver",
            "device.bogus == 1",
            "true",
            "1 + 1",
            "nope(",
            "device.attributes['d'].x",
            "device.attributes['d'].x > 3",
            "device.attributes['d'].x.startsWith('a')",
            "device.capacity['d'].mem.isGreaterThan(quantity('1Gi'))",
            "device.capacity['d'].mem.compareTo(quantity('1Gi')) >= 0",
            "device.attributes['d'].v.isGreaterThan(semver('1.0.0'))",
            "device.attributes['d'].v.major() > 1",
            "isSemver('x')",
            "cel.bind(d, device.attributes['d'], d.a && d.b)",
            "has(device.attributes['d'].x)",
            "'d' in device.attributes",
            "device.attributes.exists(d, d == 'x')",
            "device.attributes['d'].all(k, k.matches('^a'))",
            "device.allowMultipleAllocations",
            "device.attributes['d'].x in ['a', 'b']",
            "device.driver + 1 == 'x'",
            "foo == 1",
            "",
            "device.attributes['d'].?x.orValue('') == 'a'",
            "size(device.driver) > 3 ? true : false",
            "device.capacity['d'].mem",
            "device.attributes.all(a, device.attributes.all(b, device.attributes.all(c, device.attributes.all(d, device.attributes"
                    + ".all(e, a == b && c == d)))))");

    private static final List<String> TEXTS = List.of(
            "",
            "UPPER",
            "a.b",
            "a",
            "-x",
            "a_b",
            "a/b",
            "/b",
            "a/",
            "a/b/c",
            "d.example.com",
            "D.Example.com",
            "NoExecute",
            "None",
            "All",
            "ExactCount",
            "In",
            "Exists",
            "Equal",
            "1.2.3",
            "01.2.3",
            "10.0.0.1",
            "example.com/x",
            "kubernetes.io/x",
            "x y",
            "é",
            "r",
            "s",
            "s/one",
            "s/three",
            "FromClaim",
            "pods",
            "n1",
            "11111111-1111-1111-1111-11111111111A",
            "xxxxxxxx-1111-1111-1111-111111111111",
            "a".repeat(33),
            "a".repeat(63),
            "a".repeat(64),
            "a".repeat(65),
            "a".repeat(254),
            "a.".repeat(40) + "a");
    private static final List<String> QUANTITIES =
            List.of("0", "1", "2", "3", "5Gi", "100", "1500m", "8Gi", "9Gi", "-1");
    private static final List<String> KEYS = List.of(
            "x",
            "d.example.com/x",
            "bad key",
            "UPPER",
            "a/b/c",
            "/x",
            "x/",
            "a.b",
            "a-b",
            "a".repeat(40),
            "a".repeat(70));
    private static final int[] SIZES = {3, 5, 9, 17, 33, 65, 129};

    private final Random random;

    RandomDevices(Random random) {
        this.random = random;
    }

    static JsonNode json(String text) {
        try {
            return Endpoint.JSON.readTree(
                    text.replace("\\'", "\u0001").replace('\'', '"').replace("\u0001", "'"));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    /** A valid object or status of a kind, changed in so many places. */
    JsonNode any(String kind, int changes) {
        List<String> valid = VALID.getOrDefault(kind, List.of());
        JsonNode made = json(valid.get(random.nextInt(valid.size())));
        for (int i = 0; i < changes; i++) {
            change(made);
        }
        return made;
    }

    private record Place(JsonNode parent, String field, int index) {}

    private static void places(JsonNode node, List<Place> out) {
        if (node.isObject()) {
            node.properties().forEach(e -> {
                out.add(new Place(node, e.getKey(), -1));
                places(e.getValue(), out);
            });
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                out.add(new Place(node, "", i));
                places(node.get(i), out);
            }
        }
    }

    private void change(JsonNode root) {
        List<Place> places = new ArrayList<>();
        places(root, places);
        // Not the outermost: an object without a spec says little.
        places.removeIf(p -> p.field().equals("spec")
                || p.field().equals("parameters")
                || p.field().equals("data"));
        if (places.isEmpty()) {
            return;
        }
        Place place = places.get(random.nextInt(places.size()));
        if (place.parent() instanceof ObjectNode object) {
            JsonNode old = object.path(place.field());
            if (random.nextInt(6) == 0) {
                object.remove(place.field());
            } else if (random.nextInt(8) == 0 && !place.field().isEmpty() && isMap(object)) {
                object.set(KEYS.get(random.nextInt(KEYS.size())), old.deepCopy());
            } else {
                object.set(place.field(), changed(place.field(), old));
            }
        } else if (place.parent() instanceof ArrayNode array) {
            if (random.nextInt(3) == 0) {
                array.add(array.get(place.index()).deepCopy());
            } else {
                array.set(place.index(), changed("", array.get(place.index())));
            }
        }
    }

    private static boolean isMap(ObjectNode object) {
        return object.has("memory") || object.has("model") || object.has("bw") || object.has("mem");
    }

    private JsonNode changed(String field, JsonNode old) {
        JsonNodeFactory make = JsonNodeFactory.instance;
        if (field.equals("expression")) {
            return make.textNode(EXPRESSIONS.get(random.nextInt(EXPRESSIONS.size())));
        }
        if (old.isTextual() && isQuantity(field, old)) {
            return make.textNode(QUANTITIES.get(random.nextInt(QUANTITIES.size())));
        }
        if (field.endsWith("Time")) {
            return make.textNode("2026-02-02T00:00:00Z");
        }
        if (old.isTextual()) {
            return make.textNode(TEXTS.get(random.nextInt(TEXTS.size())));
        }
        if (old.isNumber()) {
            return make.numberNode(List.of(-1, 0, 1, 2, 33, 1000).get(random.nextInt(6)));
        }
        if (old.isBoolean()) {
            return make.booleanNode(!old.asBoolean());
        }
        if (old instanceof ArrayNode list) {
            ArrayNode grown = make.arrayNode();
            int size = random.nextInt(3) == 0 ? 0 : SIZES[random.nextInt(SIZES.length)];
            for (int i = 0; i < size && !list.isEmpty(); i++) {
                grown.add(numbered(list.get(i % list.size()), i));
            }
            return grown;
        }
        return random.nextBoolean() ? make.objectNode() : old;
    }

    private static boolean isQuantity(String field, JsonNode old) {
        return List.of("value", "default", "min", "max", "step").contains(field)
                && old.asText().matches("[0-9].*");
    }

    /** The same under another name, so that only the size is wrong. */
    private static JsonNode numbered(JsonNode item, int i) {
        JsonNode copy = item.deepCopy();
        if (copy instanceof ObjectNode object && object.path("name").isTextual()) {
            object.put("name", object.path("name").asText() + i);
        }
        return copy.isTextual() ? JsonNodeFactory.instance.textNode(copy.asText() + i) : copy;
    }
}

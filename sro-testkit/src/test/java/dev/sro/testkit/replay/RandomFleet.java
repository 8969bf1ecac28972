package dev.sro.testkit.replay;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** The devices of a node, and claims for them, at random. The same seed gives the same. */
final class RandomFleet {
    /** What the devices of a fleet have that others have not. */
    enum Form {
        /** Attributes, taints. */
        PLAIN,
        /** Counters that they share. */
        PARTITIONS,
        /** Capacity that several claims may have parts of. */
        SHARES
    }

    private static final List<String> DRIVERS = List.of("a.example.com", "b.example.com");
    private static final List<String> MODELS = List.of("x", "y", "z");

    final String id;
    final Form form;
    private final Random random;

    RandomFleet(long seed) {
        this.random = new Random(seed);
        this.id = "f" + seed;
        this.form = Form.values()[random.nextInt(Form.values().length)];
    }

    static List<ObjectNode> classes() {
        return List.of(
                deviceClass("any-device", "true"),
                deviceClass("driver-a", "device.driver == 'a.example.com'"),
                deviceClass("model-x", "device.attributes[device.driver].model == 'x'"));
    }

    private static ObjectNode deviceClass(String name, String expression) {
        ObjectNode made = object("DeviceClass", name);
        made.putObject("spec")
                .putArray("selectors")
                .addObject()
                .putObject("cel")
                .put("expression", expression);
        return made;
    }

    private static ObjectNode object(String kind, String name) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        object.put("apiVersion", "resource.k8s.io/v1")
                .put("kind", kind)
                .putObject("metadata")
                .put("name", name);
        return object;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    List<ObjectNode> slices() {
        List<ObjectNode> all = new ArrayList<>();
        int pools = 1 + random.nextInt(2);
        for (int p = 0; p < pools; p++) {
            String driver = DRIVERS.get(random.nextInt(2));
            int count = 1 + random.nextInt(3);
            boolean broken = chance(8);
            int stated = count + (form == Form.PARTITIONS ? 1 : 0) + (broken ? 1 : 0);
            for (int s = 0; s < count; s++) {
                ObjectNode spec = slice(all, driver, p, s, stated);
                ArrayNode devices = spec.putArray("devices");
                List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
                Collections.shuffle(order, random);
                for (int d : order.subList(0, 1 + random.nextInt(4))) {
                    device(devices.addObject(), p + "-" + s + "-" + d);
                }
            }
            if (form == Form.PARTITIONS) {
                counters(slice(all, driver, p, 9, stated));
            }
        }
        return all;
    }

    private ObjectNode slice(List<ObjectNode> all, String driver, int pool, int number, int count) {
        // Names in another order than that of creation.
        ObjectNode slice = object("ResourceSlice", id + "-" + random.nextInt(10) + "-" + pool + "-" + number);
        all.add(slice);
        ObjectNode spec = slice.putObject("spec").put("driver", driver).put("nodeName", id);
        spec.putObject("pool").put("name", id + "-" + pool).put("generation", 1).put("resourceSliceCount", count);
        return spec;
    }

    private static void counters(ObjectNode spec) {
        ArrayNode sets = spec.putArray("sharedCounters");
        for (int g = 0; g < 2; g++) {
            ObjectNode counters = sets.addObject().put("name", "g" + g).putObject("counters");
            counters.putObject("memory").put("value", "4");
            counters.putObject("cell-0").put("value", "1");
            counters.putObject("cell-1").put("value", "1");
        }
    }

    private void device(ObjectNode device, String name) {
        device.put("name", "d-" + name);
        ObjectNode attributes = device.putObject("attributes");
        attributes.putObject("model").put("string", MODELS.get(random.nextInt(3)));
        attributes.putObject("index").put("int", random.nextInt(4));
        if (chance(60)) {
            attributes.putObject("common.example.com/numa").put("int", random.nextInt(2));
        }
        attributes.putObject("ver").put("version", "1." + random.nextInt(3) + ".0");
        ObjectNode capacity = device.putObject("capacity");
        capacity.putObject("memory").put("value", (1 + random.nextInt(4)) + "Gi");
        if (form == Form.PARTITIONS) {
            ObjectNode taken = device.putArray("consumesCounters")
                    .addObject()
                    .put("counterSet", "g" + random.nextInt(2))
                    .putObject("counters");
            taken.putObject("memory").put("value", Integer.toString(1 + random.nextInt(3)));
            if (chance(50)) {
                taken.putObject("cell-" + random.nextInt(2)).put("value", "1");
            }
        } else if (form == Form.SHARES && chance(60)) {
            device.put("allowMultipleAllocations", true);
            ObjectNode policy = ((ObjectNode) capacity.path("memory")).putObject("requestPolicy");
            ((ObjectNode) capacity.path("memory")).put("value", (2 + random.nextInt(4)) + "Gi");
            policy.put("default", "1Gi")
                    .putObject("validRange")
                    .put("min", "1Gi")
                    .put("step", "1Gi");
        } else if (form == Form.PLAIN && chance(20)) {
            // Not NoExecute: a controller that is not simulated ends pods that have such devices.
            device.putArray("taints")
                    .addObject()
                    .put("key", "example.com/t")
                    .put("effect", List.of("NoSchedule", "None").get(random.nextInt(2)))
                    .put("timeAdded", "2026-01-01T00:00:00Z");
        }
    }

    ObjectNode claim(String name) {
        ObjectNode claim = object("ResourceClaim", name);
        ObjectNode devices = claim.putObject("spec").putObject("devices");
        ArrayNode requests = devices.putArray("requests");
        int count = 1 + random.nextInt(3);
        for (int r = 0; r < count; r++) {
            ObjectNode request = requests.addObject().put("name", "r" + r);
            if (chance(25)) {
                ArrayNode alternatives = request.putArray("firstAvailable");
                for (int a = 0; a <= random.nextInt(3); a++) {
                    wish(alternatives.addObject().put("name", "a" + a));
                }
            } else {
                wish(request.putObject("exactly"));
            }
        }
        if (form != Form.PARTITIONS && chance(40)) {
            ObjectNode constraint = devices.putArray("constraints").addObject();
            String attribute = chance(50) ? "common.example.com/numa" : "a.example.com/model";
            constraint.put(chance(70) ? "matchAttribute" : "distinctAttribute", attribute);
            if (chance(40)) {
                constraint.putArray("requests").add("r0");
            }
        }
        return claim;
    }

    private void wish(ObjectNode wish) {
        wish.put("deviceClassName", List.of("any-device", "driver-a", "model-x").get(random.nextInt(3)));
        if (chance(12)) {
            wish.put("allocationMode", "All");
        } else {
            wish.put("count", 1 + random.nextInt(2));
        }
        if (chance(40)) {
            wish.putArray("selectors").addObject().putObject("cel").put("expression", expression());
        }
        if (chance(30)) {
            wish.putArray("tolerations").addObject().put("key", "example.com/t").put("operator", "Exists");
        }
        if (form == Form.SHARES && chance(40)) {
            wish.putObject("capacity")
                    .putObject("requests")
                    .put("memory", List.of("1Gi", "1500Mi", "2Gi").get(random.nextInt(3)));
        }
    }

    private String expression() {
        return List.of(
                        "device.attributes[device.driver].index >= 2",
                        "device.capacity[device.driver].memory.compareTo(quantity('2Gi')) >= 0",
                        "device.attributes[device.driver].ver.isGreaterThan(semver('1.0.0'))",
                        "'numa' in device.attributes['common.example.com']",
                        "cel.bind(d, device.attributes[device.driver], d.model == 'x' || d.index == 0)",
                        "device.attributes['common.example.com'].?numa.orValue(7) == 1")
                .get(random.nextInt(6));
    }

    /** Which of the claims so far is given back now; -1 for none. */
    int givenBack(int claims) {
        return claims > 2 && chance(25) ? random.nextInt(claims) : -1;
    }
}

package dev.sro.testkit.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** What happens to the nodes of a random history. */
final class OracleNodeSteps {

    private static final int MAX_NODES = 3;

    private final OracleWorld world;
    private Random random;
    private int created;

    OracleNodeSteps(OracleWorld world, Random random) {
        this.world = world;
        this.random = random;
    }

    /** What is drawn from here on. */
    void draw(Random from) {
        random = from;
    }

    private @Nullable String anyNode() {
        List<String> names = world.nodes();
        return names.isEmpty() ? null : names.get(random.nextInt(names.size()));
    }

    private String kernel() {
        return OracleWorld.KERNELS.get(random.nextInt(OracleWorld.KERNELS.size()));
    }

    void createNode() {
        if (world.nodes().size() < MAX_NODES) {
            String name = "n" + created++;
            String kernel = kernel();
            boolean device = random.nextInt(4) > 0;
            boolean gpu = random.nextInt(3) > 0;
            boolean zone = random.nextBoolean();
            world.log.add("create node " + name + " " + kernel + (device ? " device" : "") + (gpu ? " gpu" : "")
                    + (zone ? " zone" : ""));
            world.createNode(name, kernel, device, gpu, zone);
        }
    }

    void deleteNode() {
        String name = anyNode();
        if (name != null) {
            world.log.add("delete node " + name);
            world.sandbox.nodes().delete(name);
        }
    }

    void reboot() {
        String name = anyNode();
        if (name != null) {
            String kernel = kernel();
            world.log.add("reboot " + name + " into " + kernel);
            world.sandbox.nodes().reboot(name, kernel);
        }
    }

    void label() {
        String name = anyNode();
        if (name != null) {
            String key = List.of("example.com/device", "example.com/gpu", "zone", "acme.example/shared")
                    .get(random.nextInt(4));
            String value = random.nextBoolean() ? key.equals("zone") ? "a" : "true" : null;
            world.log.add("label " + name + " " + key + "=" + value);
            world.sandbox.nodes().label(name, key, value);
        }
    }

    void foreignEditOfNode() {
        String name = anyNode();
        if (name == null) {
            return;
        }
        switch (random.nextInt(5)) {
            case 0 -> {
                world.log.add("cordon " + name);
                world.sandbox.nodes().cordon(name);
            }
            case 1 -> {
                world.log.add("uncordon " + name);
                world.sandbox.nodes().uncordon(name);
            }
            case 2 -> {
                world.log.add("somebody taints " + name);
                world.sandbox.nodes().taint(name, "acme.com/not-ready", "x", "NoSchedule");
            }
            case 3 -> {
                world.log.add("somebody takes the taint off " + name);
                world.sandbox.nodes().untaint(name, "acme.com/not-ready");
            }
            default -> takeLabelOff(name);
        }
    }

    void takeLabelOff(String node) {
        List<String> ours = new ArrayList<>();
        world.sandbox.nodes().get(node).at("/metadata/labels").fieldNames().forEachRemaining(label -> {
            if (label.contains("sro.dev/") || label.contains("specialresource.openshift.io/")) {
                ours.add(label);
            }
        });
        if (!ours.isEmpty()) {
            Collections.sort(ours);
            String label = ours.get(random.nextInt(ours.size()));
            world.log.add("somebody takes " + label + " off " + node);
            world.sandbox.nodes().label(node, label, random.nextBoolean() ? null : "wrong");
        }
    }
}

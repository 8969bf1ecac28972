package dev.sro.core.recipe.generated;

import dev.sro.core.recipe.generated.Blueprint.Era;
import dev.sro.core.recipe.generated.Blueprint.File;
import dev.sro.core.recipe.generated.Blueprint.Flaw;
import dev.sro.core.recipe.generated.Blueprint.Machine;
import dev.sro.core.recipe.generated.Blueprint.Place;
import dev.sro.core.recipe.generated.Blueprint.Prometheus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** Makes recipes of all that the first generation knew. One seed makes one. */
final class BlueprintGenerator {

    /** In the order in which the operator of February 2019 had them in its code. */
    static final List<String> FOLDERS = List.of(
            "state-driver",
            "state-driver-validation",
            "state-device-plugin",
            "state-device-plugin-validation",
            "state-monitoring");

    private static final List<String> NUMBERED_FOLDERS = List.of("0100-zebra", "0200_middle", "1000-apple");

    private static final List<String> EARLY = List.of(
            "0000-state-driver-buildconfig.yaml",
            "0001-state-driver.yaml",
            "0002-state-driver-validation.yaml",
            "0003-state-device-plugin.yaml",
            "0005-state-monitoring.yaml",
            "0006-state-grafana.yaml");

    private static final List<String> LATER = List.of(
            "0000-buildconfig..yaml",
            "0000-state-driver-buildconfig.yaml",
            "0500-extra.yml",
            "1000-driver-container.yaml",
            "2000-state-runtime.yaml",
            "2000_UPPER case.yaml",
            "4000-state-device-plugin.yaml",
            "8000-state-device-feature-discovery.yaml",
            "state-late.yaml",
            "Zero.yaml");

    private static final List<String> TAINTS = List.of(
            "example.com/dedicated=others:NoSchedule",
            "node-role.kubernetes.io/master:NoSchedule",
            "example.com/slow:PreferNoSchedule",
            "node.kubernetes.io/unschedulable:NoSchedule",
            "example.com/broken:NoExecute");

    private static final List<Prometheus> PROMETHEUS = List.of(Prometheus.values());
    private static final List<Era> ERAS = List.of(Era.values());
    private static final String FEATURE = "feature.node.kubernetes.io/pci-1af4.present";
    private static final String WORKER = "node-role.kubernetes.io/worker";

    private final Random random;
    private final long seed;
    private final Era era;
    private final boolean waits;
    /** Whether its nodes boot several operating systems. */
    private final boolean mixed;

    private final boolean tolerant;
    private final ItemGenerator items;
    private final List<Item> before = new ArrayList<>();

    private BlueprintGenerator(long seed) {
        this.seed = seed;
        this.random = new Random(seed * 0x9E3779B97F4A7C15L + 7);
        this.era = ERAS.get(random.nextInt(ERAS.size()));
        this.waits = random.nextInt(5) > 0;
        this.mixed = random.nextInt(4) == 0;
        this.tolerant = random.nextInt(6) == 0;
        this.items = new ItemGenerator(random, era, waits, tolerant);
    }

    static Blueprint of(long seed) {
        return new BlueprintGenerator(seed).blueprint();
    }

    private Blueprint blueprint() {
        List<File> files = new ArrayList<>();
        List<String> names = names();
        int broken = random.nextInt(12) == 0 ? random.nextInt(names.size()) : -1;
        for (int i = 0; i < names.size(); i++) {
            files.add(new File(names.get(i), items(), i == broken ? flaw() : Flaw.NONE));
        }
        String feature = feature();
        Map<String, String> selector = new TreeMap<>();
        if (random.nextInt(3) == 0) {
            selector.put("example.com/zone", "b");
        }
        boolean workers = feature.isEmpty() && selector.isEmpty();
        Place place = place();
        return new Blueprint(
                seed,
                era,
                List.copyOf(files),
                machines(feature, workers),
                feature,
                selector,
                arguments(),
                random.nextInt(3) == 0 ? List.of("acme") : List.of(),
                place,
                PROMETHEUS.get(random.nextInt(PROMETHEUS.size())),
                tolerant,
                needs());
    }

    private Place place() {
        if (era == Era.FOLDERS) {
            return Place.FOLDER;
        }
        List<Place> places = era == Era.OF_2020
                ? List.of(Place.LABELLED, Place.NAMED, Place.REFERRED)
                : List.of(Place.NAMED, Place.REFERRED);
        return places.get(random.nextInt(places.size()));
    }

    private Map<String, Boolean> needs() {
        Map<String, Boolean> needs = new TreeMap<>();
        if (era == Era.OF_2021 && random.nextInt(4) == 0) {
            for (String name : List.of("base-image", "other-recipe")) {
                if (random.nextBoolean()) {
                    needs.put(name, random.nextBoolean());
                }
            }
        }
        return needs;
    }

    private String feature() {
        return era.hasTemplates() && random.nextInt(3) > 0 ? FEATURE : "";
    }

    private List<String> names() {
        Set<String> names = new LinkedHashSet<>();
        int count = 1 + random.nextInt(4);
        List<String> all = switch (era) {
            case FOLDERS -> random.nextInt(4) == 0 ? NUMBERED_FOLDERS : FOLDERS;
            case EARLY_2019 -> EARLY;
            default -> LATER;
        };
        for (int i = 0; i < count; i++) {
            names.add(all.get(random.nextInt(all.size())));
        }
        if (era != Era.FOLDERS) {
            return List.copyOf(names);
        }
        // A folder has files with numbers, whose order is that of the objects.
        List<String> files = new ArrayList<>();
        for (String folder : names) {
            int inside = 1 + random.nextInt(3);
            for (int i = 0; i < inside; i++) {
                files.add(folder + "/0" + (i + 1) + "00_object." + (random.nextInt(3) == 0 ? "yml" : "yaml"));
            }
        }
        return files;
    }

    private Flaw flaw() {
        List<Flaw> possible = era.hasTemplates()
                ? List.of(Flaw.UNDEFINED_VARIABLE, Flaw.BROKEN_TEMPLATE, Flaw.BROKEN_YAML, Flaw.NO_KIND)
                : List.of(Flaw.BROKEN_YAML, Flaw.NO_KIND, Flaw.FILLED);
        return possible.get(random.nextInt(possible.size()));
    }

    private List<Item> items() {
        List<Item> all = new ArrayList<>();
        int count = random.nextInt(5);
        for (int i = 0; i < count; i++) {
            Item item = items.next();
            if (!before.isEmpty() && random.nextInt(10) == 0) {
                Item former = before.get(random.nextInt(before.size()));
                item = random.nextBoolean() ? former : items.another(former, !mixed);
            }
            all.add(item);
            // What is there for some systems only is no double of what is there for others.
            if (!mixed || item.condition().isEmpty()) {
                before.add(item);
            }
        }
        return List.copyOf(all);
    }

    private List<Machine> machines(String feature, boolean workers) {
        int count = 1 + random.nextInt(4);
        int kernels = 1 + random.nextInt(3);
        int first = random.nextInt(Kernel.OF_84.size());
        List<Machine> machines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Map<String, String> labels = new TreeMap<>();
            labels.put("example.com/zone", random.nextInt(6) == 0 ? "c" : "b");
            labels.put("example.com/rack", "r1");
            if (!workers || random.nextInt(4) > 0) {
                labels.put(WORKER, "");
            }
            if (!feature.isEmpty() && random.nextInt(5) > 0) {
                labels.put(feature, random.nextInt(6) == 0 ? "false" : "true");
            }
            Kernel kernel = Kernel.OF_84.get((first + random.nextInt(kernels)) % Kernel.OF_84.size());
            if (mixed && random.nextInt(2) == 0) {
                kernel = Kernel.OTHERS.get(random.nextInt(Kernel.OTHERS.size()));
            }
            machines.add(new Machine("node-" + i, kernel, Map.copyOf(labels), taints()));
        }
        return List.copyOf(machines);
    }

    private List<String> taints() {
        List<String> taints = new ArrayList<>();
        for (String taint : TAINTS) {
            if (random.nextInt(12) == 0) {
                taints.add(taint);
            }
        }
        return List.copyOf(taints);
    }

    private Map<String, Word> arguments() {
        Map<String, Word> arguments = new LinkedHashMap<>();
        if (era == Era.OF_2021) {
            arguments.put("FLAVOUR", Word.of("plain"));
            if (random.nextBoolean()) {
                arguments.put("KVER", Word.of(Word.Var.KERNEL));
            }
            if (random.nextBoolean()) {
                arguments.put("GROUP", Word.of("x-").and(Word.Var.GROUP_DRIVER));
            }
        }
        return arguments;
    }
}

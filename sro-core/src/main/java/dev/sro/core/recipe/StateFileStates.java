package dev.sro.core.recipe;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.Problem;
import dev.sro.api.Reach;
import dev.sro.api.State;
import dev.sro.core.recipe.source.StateFileSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Which file belongs to which state. Stateless. */
final class StateFileStates {

    private static final Pattern NUMBERED = Pattern.compile("[0-9]{4}[-_].*\\.ya?ml");
    private static final Pattern YAML = Pattern.compile(".*\\.ya?ml");
    private static final Pattern EXTENSION = Pattern.compile("\\.+ya?ml$");

    /** Of kustomize, which makes the ConfigMap. */
    private static final Set<String> NO_STATES = Set.of("kustomization.yaml", "kustomization.yml");

    private static final String TOOLKIT = "state-container-toolkit";

    /** Only the state managers of 2019 and 2020 that prepared the container runtime before the driver had it. */
    private static final String DRIVER_VALIDATION = "state-driver-validation";

    /**
     * Folders whose order was in the code of state managers, from 2019 on; that of the container toolkit went from before the driver
     * to behind it in 2020. Read in the sources of the Special Resource Operator and of NVIDIA's operator.
     */
    private static final List<String> FOLDERS = List.of(
            "pre-requisites",
            "state-operator-metrics",
            "state-driver",
            TOOLKIT,
            DRIVER_VALIDATION,
            "state-operator-validation",
            "state-device-plugin",
            "state-device-plugin-validation",
            "state-mps-control-daemon",
            "state-dcgm",
            "state-dcgm-exporter",
            "state-monitoring",
            "state-grafana",
            "state-feature-discovery",
            "gpu-feature-discovery",
            "state-mig-manager",
            "state-node-status-exporter",
            "state-vgpu-manager",
            "state-vgpu-device-manager",
            "state-sandbox-validation",
            "state-vfio-manager",
            "state-sandbox-device-plugin",
            "state-kata-device-plugin",
            "state-kata-manager",
            "state-cc-manager");

    private static final int MAX_FOLDERS = 99;
    private static final int MAX_NUMBER = 9_999;

    private StateFileStates() {}

    /**
     * The states in their order.
     *
     * @param warnings gets a line for each file that is none
     * @throws RecipeFailure if there is no state
     */
    static List<State> create(StateFileSet files, Collection<String> warnings) {
        boolean folders = isFolders(files);
        Map<String, List<ManifestTemplate>> states = folders ? byFolder(files) : byFile(files, warnings);
        if (states.isEmpty()) {
            throw new RecipeFailure(new Problem(
                    "NoStates",
                    files.from() + " has no state: it needs files with names such as 0000-driver.yaml; it has "
                            + files.files().keySet(),
                    Problem.Owner.VENDOR,
                    true));
        }
        Set<String> taken = new HashSet<>();
        List<State> result = new ArrayList<>();
        states.forEach((name, templates) -> result.add(State.builder()
                .id(ChartStates.id(name, taken))
                .scope(State.Scope.POOL)
                .reach(Reach.nodeByNode())
                .addAllManifests(templates)
                .build()));
        return result;
    }

    /** Whether each folder is a state, as before there were templates. */
    static boolean isFolders(StateFileSet files) {
        return files.files().keySet().stream().anyMatch(name -> name.contains("/"));
    }

    /**
     * Each file is a state, in the order of the names, as the original had it; one without a number gets that after the one before it,
     * for the label of its nodes.
     */
    private static Map<String, List<ManifestTemplate>> byFile(StateFileSet files, Collection<String> warnings) {
        Map<String, List<ManifestTemplate>> states = new LinkedHashMap<>();
        int last = -1;
        for (Map.Entry<String, String> file : files.files().entrySet()) {
            String name = file.getKey();
            if (!YAML.matcher(name).matches()) {
                warnings.add(
                        files.from() + ": " + name + " is no state, as its name does not end in .yaml; it is left out");
                continue;
            }
            if (NO_STATES.contains(name)) {
                continue;
            }
            boolean numbered = NUMBERED.matcher(name).matches();
            last = numbered ? Integer.parseInt(name.substring(0, 4)) : Math.min(last + 1, MAX_NUMBER);
            String state = numbered ? name : String.format("%04d-%s", last, name);
            states.computeIfAbsent(EXTENSION.matcher(state).replaceFirst(""), unused -> new ArrayList<>())
                    .add(ManifestTemplate.text(name, file.getValue()));
        }
        return states;
    }

    /** Each folder is a state: numbered ones in their order, those that a state manager knew in its order, others by name. */
    private static Map<String, List<ManifestTemplate>> byFolder(StateFileSet files) {
        Map<String, List<ManifestTemplate>> folders = new TreeMap<>();
        files.files().forEach((name, text) -> {
            int slash = name.indexOf('/');
            if (slash > 0 && YAML.matcher(name).matches() && !NO_STATES.contains(name.substring(slash + 1))) {
                folders.computeIfAbsent(name.substring(0, slash), unused -> new ArrayList<>())
                        .add(ManifestTemplate.text(name, text));
            }
        });
        List<String> order = new ArrayList<>(FOLDERS);
        if (folders.containsKey(DRIVER_VALIDATION)) {
            order.remove(TOOLKIT);
            order.add(order.indexOf("state-driver"), TOOLKIT);
        }
        order.retainAll(folders.keySet());
        folders.keySet().stream().filter(name -> !order.contains(name)).forEach(order::add);
        if (order.size() > MAX_FOLDERS) {
            throw new RecipeFailure(
                    new Problem("NoStates", files.from() + " has too many folders", Problem.Owner.VENDOR, true));
        }
        Map<String, List<ManifestTemplate>> states = new LinkedHashMap<>();
        for (int i = 0; i < order.size(); i++) {
            String folder = order.get(i);
            boolean numbered = folder.matches("[0-9]{4}[-_].*");
            states.put(
                    numbered ? folder : String.format("%04d-%s", (i + 1) * 100, folder),
                    folders.getOrDefault(folder, List.of()));
        }
        return states;
    }
}

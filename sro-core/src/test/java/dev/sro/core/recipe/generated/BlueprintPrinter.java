package dev.sro.core.recipe.generated;

import dev.sro.core.recipe.generated.Blueprint.Era;
import dev.sro.core.recipe.generated.Blueprint.File;
import dev.sro.core.recipe.generated.Blueprint.Flaw;
import dev.sro.core.recipe.generated.Word.Var;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** Writes a recipe down, in one of the many ways that mean the same. */
final class BlueprintPrinter {

    private static final List<String> SEPARATORS =
            List.of("---\n", "---\n", "--- # next\n", "---   \n", "---\n---\n", "...\n---\n");

    private static final Map<Var, String> PROMETHEUS = Map.of(
            Var.PROMETHEUS_URL, "REPLACE_PROM_URL",
            Var.PROMETHEUS_USER, "REPLACE_PROM_USER",
            Var.PROMETHEUS_PASS, "REPLACE_PROM_PASS");

    /** What stood where templates are later, at the beginning of 2020. */
    private static final Map<Var, String> TOKENS = Map.of(
            Var.HARDWARE, "HARDWARE",
            Var.KERNEL, "KERNELVERSION",
            Var.OS_MAJOR, "OPERATINGSYSTEM",
            Var.CLUSTER_VERSION, "CLUSTERVERSION",
            Var.NODE_FEATURE, "NODEFEATURE");

    private final Blueprint blueprint;
    private final Random random;

    private BlueprintPrinter(Blueprint blueprint) {
        this.blueprint = blueprint;
        this.random = new Random(blueprint.seed() * 0x9E3779B97F4A7C15L + 11);
    }

    /** Its files by name. */
    static SortedMap<String, String> files(Blueprint blueprint) {
        BlueprintPrinter printer = new BlueprintPrinter(blueprint);
        SortedMap<String, String> files = new TreeMap<>();
        blueprint.files().forEach(file -> files.put(file.name(), printer.file(file)));
        return files;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private String pick(List<String> list) {
        return list.get(random.nextInt(list.size()));
    }

    private String file(File file) {
        List<String> documents = new ArrayList<>();
        List<Item> items = file.items();
        for (int i = 0; i < items.size(); i++) {
            boolean list = items.get(i).condition().isEmpty() && chance(12);
            documents.add(list ? list(items.get(i)) : document(items.get(i)));
            if (chance(10)) {
                documents.add("# nothing but a comment\n");
            }
        }
        String flaw = flaw(file.flaw());
        if (!flaw.isEmpty()) {
            documents.add(flaw);
        }
        StringBuilder text =
                new StringBuilder(pick(List.of("", "", "---\n", "# a comment\n---\n", "# a comment\n\n", "\n---\n")));
        for (int i = 0; i < documents.size(); i++) {
            // The mark of an end needs something before it.
            boolean ends = i > 0
                    && !documents.get(i - 1).startsWith("{{")
                    && !documents.get(i - 1).startsWith("#");
            text.append(i == 0 ? "" : pick(SEPARATORS.subList(0, SEPARATORS.size() - (ends ? 0 : 1))))
                    .append(documents.get(i));
        }
        text.append(pick(List.of("", "", "", "---\n", "\n\n", "# the end")));
        String whole = chance(15) ? text.toString().replace("\n", "\r\n") : text.toString();
        return chance(40) ? "\uFEFF" + whole : whole;
    }

    private static String flaw(Flaw flaw) {
        return switch (flaw) {
            case NONE -> "";
            case UNDEFINED_VARIABLE ->
                "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata: {a: \"{{ .NoSuchThing }}\"}\n";
            case BROKEN_TEMPLATE -> "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ if }}\n";
            case BROKEN_YAML -> "apiVersion: v1\nkind: [ConfigMap\n";
            case NO_KIND -> "apiVersion: v1\nmetadata:\n  name: x\n";
            case FILLED -> "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata: {a: FILLED BY THE OPERATOR}\n";
        };
    }

    private String document(Item item) {
        StringBuilder out = new StringBuilder();
        YamlWords yaml = yaml();
        Map<String, Object> tree = tree(item);
        if (chance(15)) {
            out.append(yaml.flow(tree)).append('\n');
        } else {
            yaml.block(out, tree, 0);
        }
        return switch (item.condition()) {
            case "true" -> "{{ if eq .OperatingSystemMajor \"rhel8\" }}\n" + out + "{{ end }}\n";
            case "false" -> "{{- if eq .OperatingSystemMajor \"rhel7\" -}}\n" + out + "{{- end }}\n";
            default -> out.toString();
        };
    }

    private String list(Item item) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", Word.of("v1"));
        tree.put("kind", Word.of("List"));
        tree.put("items", List.of(tree(item)));
        StringBuilder out = new StringBuilder();
        yaml().block(out, tree, 0);
        return out.toString();
    }

    private YamlWords yaml() {
        return new YamlWords(random, word -> text(word), arguments());
    }

    private Map<String, Object> tree(Item item) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        boolean named = blueprint.era() == Era.OF_2021 && item.name().startsWith(Blueprint.RESOURCE) && chance(2);
        metadata.put(
                "name",
                named
                        ? Word.of(Var.RESOURCE).and(item.name().substring(Blueprint.RESOURCE.length()))
                        : Word.of(item.name()));
        if (!item.namespace().isEmpty()) {
            boolean own = blueprint.era().hasTemplates() && item.namespace().equals(Blueprint.SPACE) && chance(2);
            metadata.put("namespace", own ? Word.of(Var.NAMESPACE) : Word.of(item.namespace()));
        }
        if (!item.labels().isEmpty()) {
            metadata.put("labels", item.labels());
        }
        metadata.put("annotations", item.annotations());
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiVersion", Word.of(item.kind().apiVersion));
        tree.put("kind", Word.of(item.kind().word));
        tree.put("metadata", metadata);
        tree.putAll(item.body());
        return tree;
    }

    /** The list of arguments; what they are comes from the special resource. */
    private List<String> arguments() {
        return chance(2)
                ? List.of("{{- range .SpecialResource.Spec.DriverContainer.BuildArgs }}", "{{ .Name }}", "{{ .Value }}")
                : List.of(
                        "{{- range $arg := .SpecialResource.Spec.DriverContainer.BuildArgs }}",
                        "{{ $arg.Name }}",
                        "{{$arg.Value}}");
    }

    private String text(Word.Part part) {
        return part instanceof Word.Plain plain ? escaped(plain.text()) : variable((Var) part);
    }

    private String escaped(String text) {
        return switch (blueprint.era()) {
            case FOLDERS, EARLY_2019 -> text;
            case OF_2020 -> text.replace("{{", pick(List.of("{{ \"{{\" }}", "{{\"{{\"}}", "{{`{{`}}")));
            case OF_2021 -> text.replace("{{", pick(List.of("{{ \"{{ \\\"{{\\\" }}\" }}", "{{ \"{{`{{`}}\" }}")));
        };
    }

    private String variable(Var variable) {
        String word = PROMETHEUS.get(variable);
        if (word != null) {
            return word;
        }
        if (!blueprint.era().hasTemplates()) {
            return "KERNEL_FULL_VERSION";
        }
        String token = TOKENS.get(variable);
        if (token != null && blueprint.era() == Era.OF_2020 && blueprint.seed() % 3 == 0) {
            return "SPECIALRESOURCE.OPENSHIFT.IO." + token;
        }
        if (variable == Var.HOST_PATH) {
            return "{{range .SpecialResource.Spec.DriverContainer.Artifacts.HostPaths}}{{.SourcePath}}:{{.DestinationDir}}{{end}}";
        }
        if (variable == Var.CONFIGURED) {
            return "{{range .SpecialResource.Spec.Configuration}}{{if eq .Name \"key\"}}{{range .Value}}{{.}}{{end}}{{end}}{{end}}";
        }
        String path = path(variable);
        boolean empty = variable == Var.NODE_FEATURE || variable == Var.UPDATE_VENDOR;
        return switch (random.nextInt(empty ? 5 : 8)) {
            case 0, 1 -> "{{" + path + "}}";
            case 2 -> "{{ " + path + " }}";
            case 3 -> "{{ print " + path + " }}";
            case 4 -> "{{ " + path + " | printf \"%s\" }}";
            case 5 -> "{{ with " + path + " }}{{ . }}{{ end }}";
            case 6 -> "{{/* a comment */}}{{ $" + path + " }}";
            default -> "{{ $x := " + path + " }}{{ if $x }}{{ $x }}{{ else }}none{{ end }}";
        };
    }

    private String path(Var variable) {
        boolean early = blueprint.era() == Era.OF_2020;
        return switch (variable) {
            case KERNEL -> early ? ".KernelVersion" : ".KernelFullVersion";
            case PATCH -> ".KernelPatchVersion";
            case OS_MAJOR -> ".OperatingSystemMajor";
            case OS_MINOR -> ".OperatingSystemMajorMinor";
            case OS_DECIMAL -> ".OperatingSystemDecimal";
            case RESOURCE -> pick(List.of(".SpecialResource.Name", ".SpecialResource.ObjectMeta.Name"));
            case NAMESPACE -> early ? ".OperatorNamespace" : ".SpecialResource.Spec.Namespace";
            case HARDWARE -> ".HardwareResource";
            case NODE_FEATURE -> ".NodeFeature";
            case GROUP_DRIVER -> ".GroupName.DriverContainer";
            case GROUP_PLUGIN -> ".GroupName.DevicePlugin";
            case STATE_DRIVER -> ".StateName.DriverContainer";
            case GIT_REF -> ".SpecialResource.Spec.DriverContainer.Source.Git.Ref";
            case CLUSTER_VERSION -> ".ClusterVersion";
            case CLUSTER_MINOR -> ".ClusterVersionMajorMinor";
            case PUSH_SECRET -> ".PushSecretName";
            case OS_IMAGE -> ".OSImageURL";
            case UPDATE_VENDOR -> ".UpdateVendor";
            case HTTP_PROXY -> ".Proxy.HttpProxy";
            case NO_PROXY -> ".Proxy.NoProxy";
            case TRUSTED_CA -> ".Proxy.TrustedCA";
            case GROUP_BUILD -> ".GroupName.DriverBuild";
            case GROUP_RUNTIME -> ".GroupName.RuntimeEnablement";
            case GROUP_MONITORING -> ".GroupName.DeviceMonitoring";
            case GROUP_FEATURES -> ".GroupName.DeviceFeatureDiscovery";
            case STATE_RUNTIME -> ".StateName.RuntimeEnablement";
            case STATE_PLUGIN -> ".StateName.DevicePlugin";
            case STATE_MONITORING -> ".StateName.DeviceMonitoring";
            default -> throw new IllegalStateException(variable + " is no field");
        };
    }

    /** A text of the special resource, which is a template itself. */
    static String ofResource(Word word) {
        StringBuilder text = new StringBuilder();
        word.parts()
                .forEach(part -> text.append(
                        part instanceof Word.Plain plain
                                ? plain.text()
                                : part == Var.KERNEL ? "{{.KernelFullVersion}}" : "{{ .GroupName.DriverContainer }}"));
        return text.toString();
    }
}

package dev.sro.runtime.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.agent.emulated.EmulatedFile;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import dev.sro.core.probe.ReadyWhen;
import dev.sro.core.slicing.SliceSnapshot;
import dev.sro.core.slicing.catalogue.Catalogue;
import dev.sro.core.slicing.input.InputDocument;
import dev.sro.core.slicing.mig.MigConfig;
import dev.sro.core.yaml.Yaml;
import dev.sro.core.yaml.YamlWriter;
import dev.sro.runtime.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each block of YAML in the documentation is used by a test: as an object by {@link DocsObjectsTest}, as a file of a plugin by {@link
 * DocsCodeTest}, and as a file of settings here, by the code that reads it. The others are in the list {@code yaml-not-used.txt}, with the
 * reason.
 */
class DocsYamlTest {

    private static final String LIST = "yaml-not-used.txt";

    private static final Pattern RESOURCE = Pattern.compile("\\A# src/main/resources/\\S+/(\\S+)\\n");

    private static final Path VALUES = Path.of("install/helm/special-resource-operator/values.yaml");

    /** Pages about one plugin, on which settings stand alone. */
    private static final List<String> OF_PLUGINS = List.of("docs/admins/nvidia.md", "docs/admins/solarflare.md");

    @TempDir
    private static Path plugins;

    @TempDir
    private Path folder;

    @BeforeAll
    static void installPlugins() {
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia-gpu");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare-onload");
    }

    private static List<PageBlocks.Block> blocks() throws IOException {
        return PageBlocks.all().stream()
                .filter(block -> block.language().equals("yaml"))
                .toList();
    }

    @Test
    void eachBlockIsUsedOrListedWithItsReason() throws IOException {
        Map<String, Integer> uses = new TreeMap<>();
        TreeSet<String> unused = new TreeSet<>();
        for (PageBlocks.Block block : blocks()) {
            Optional<String> use = use(block);
            use.ifPresent(name -> uses.merge(name, 1, Integer::sum));
            if (use.isEmpty()) {
                unused.add(
                        block.page() + ": " + block.text().lines().findFirst().orElse(""));
            }
        }
        ReasonList list = ReasonList.read(LIST);
        System.out.println("blocks of YAML: " + uses + ", not used: " + unused.size());
        list.holds(unused);
    }

    private Optional<String> use(PageBlocks.Block block) throws IOException {
        Matcher resource = RESOURCE.matcher(block.text());
        if (resource.find()) {
            return isNamedInCode(block.page(), resource.group(1)) ? Optional.of("files of plugins") : Optional.empty();
        }
        if (!DocsObjectsTest.objects(block).isEmpty()) {
            return Optional.of("objects");
        }
        List<Map<String, Object>> documents = Yaml.documents(block.page(), block.text());
        return documents.size() == 1 ? settings(block, documents.get(0)) : Optional.empty();
    }

    private static boolean isNamedInCode(String page, String file) throws IOException {
        return PageBlocks.all().stream()
                .anyMatch(block -> block.page().equals(page)
                        && block.language().equals("java")
                        && block.text().contains("\"" + file + "\""));
    }

    /** Reads settings by the code that they are for; empty where there is none. */
    private Optional<String> settings(PageBlocks.Block block, Map<String, Object> tree) throws IOException {
        String schema = ValueTrees.text(tree, "schema");
        InputDocument input = InputDocument.parse(block.page(), block.text());
        if (schema.startsWith("sro.dev/slicing-catalogue/")) {
            assertThat(Catalogue.read(block.page(), block.text()).models()).isNotEmpty();
            return Optional.of("catalogues");
        }
        if (schema.startsWith("sro.dev/slicing-fleet/")) {
            assertThat(SliceSnapshot.read(input, Catalogue.builtin()).toJson()).contains("\"devices\"");
            return Optional.of("fleets");
        }
        if (schema.startsWith("sro.dev/emulated-devices/")) {
            assertThat(EmulatedFile.read(input, Catalogue.builtin(), "gpu-node-1")
                            .gpus())
                    .isNotEmpty();
            return Optional.of("emulated devices");
        }
        if (tree.containsKey("mig-configs")) {
            assertThat(MigConfig.read(input).configs()).isNotEmpty();
            return Optional.of("configurations of mig-parted");
        }
        if (block.text().startsWith("# values.yaml\n")) {
            assertThat(Yaml.documents("values.yaml", Files.readString(VALUES)).get(0))
                    .containsKeys(tree.keySet().toArray(String[]::new));
            return Optional.of("values of the chart");
        }
        if (tree.containsKey("maintainers")) {
            bundle(block.text());
            return Optional.of("what a bundle says of itself");
        }
        if (ValueTrees.map(tree, "metadata", "annotations").containsKey(MetadataKeys.READY_WHEN)) {
            Map<String, Object> live = new LinkedHashMap<>(tree);
            live.put("spec", Map.of("version", "2"));
            live.put("status", Map.of("version", "1"));
            assertThat(isReady(live)).isFalse();
            live.put("status", Map.of("version", "2"));
            assertThat(isReady(live)).isTrue();
            return Optional.of("expressions for readiness");
        }
        if (OF_PLUGINS.contains(block.page())) {
            plan(block.page(), tree.containsKey("config") ? ValueTrees.map(tree, "config") : tree);
            return Optional.of("settings of plugins");
        }
        return Optional.empty();
    }

    private static boolean isReady(Map<String, Object> live) {
        return ReadyWhen.evaluate(KubeObject.of(live), Instant.EPOCH)
                .orElseThrow()
                .isReady();
    }

    private void bundle(String about) throws IOException {
        Cli cli = Cli.run(
                "bundle",
                folder.resolve("bundle").toString(),
                "--plugins",
                plugins.toString(),
                "--image",
                "registry.example/sro@sha256:" + "a".repeat(64),
                "--about",
                Files.writeString(folder.resolve("about.yaml"), about).toString());
        assertThat(cli.code()).as(cli.err()).isZero();
        assertThat(cli.out() + cli.err()).doesNotContain("about.yaml");
    }

    /** The settings in the first special resource of the page, beside those that it has. */
    private void plan(String page, Map<String, Object> settings) throws IOException {
        Map<String, Object> resource = blocks().stream()
                .filter(block -> block.page().equals(page))
                .flatMap(block -> DocsObjectsTest.objects(block).stream())
                .findFirst()
                .orElseThrow();
        Map<String, Object> config = new LinkedHashMap<>(ValueTrees.map(resource, "spec", "plugin", "config"));
        config.putAll(settings);
        ValueTrees.ensureMap(resource, "spec", "plugin").put("config", config);
        Cli cli = Cli.run(
                "plan",
                "-f",
                Files.writeString(folder.resolve("resource.yaml"), YamlWriter.write(resource))
                        .toString(),
                "--kernel",
                "5.14.0-427.50.1.el9_4.x86_64",
                "--assume-built",
                "--plugins",
                plugins.toString());
        assertThat(cli.code()).as(cli.out() + cli.err()).isZero();
    }
}

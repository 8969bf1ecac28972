package dev.sro.runtime.bundle.check;

import static dev.sro.runtime.bundle.GoodBundle.CSV;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.yaml.Yaml;
import dev.sro.runtime.Cli;
import dev.sro.runtime.bundle.GoodBundle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** What we write, and what our check lets pass, the Operator Framework's own validators let pass. */
@EnabledIf(
        value = "dev.sro.runtime.bundle.check.FrameworkValidator#isHere",
        disabledReason =
                "no bundle-validator here: run .ci/bundle-validator/build.sh, or set SRO_BUNDLE_VALIDATOR to the command")
class FrameworkValidatorTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private static Path folder = Path.of("");

    /** Of fields below others that are changed. */
    private static final int DEPTH = 5;

    /** One in so many changes in each build; all of them with {@code -Dsro.bundle.every=1}. */
    private static final int EVERY = Integer.getInteger("sro.bundle.every", 3);

    private static Path written = Path.of("");
    private static Map<String, String> good = Map.of();

    @BeforeAll
    static void write() throws IOException {
        Path plugins = Cli.plugins(Files.createDirectories(folder.resolve("plugins")));
        Cli.plugin(plugins, "sro-plugins-nvidia", "nvidia");
        Cli.plugin(plugins, "sro-plugins-solarflare", "solarflare");
        written = folder.resolve("bundle");
        GoodBundle.write(folder, plugins, written);
        good = Bundle.read(written).files();
    }

    private static Map<Path, List<FrameworkValidator.Finding>> validate(List<Path> bundles)
            throws IOException, InterruptedException {
        return FrameworkValidator.find().orElseThrow().validate(bundles, folder);
    }

    /** They cannot see which version of these a right is for, and warn that it may be the one that is gone; SRO uses v1. */
    @Test
    void findNothingInWhatIsWrittenButVersionsThatTheyCannotSee() throws IOException, InterruptedException {
        assertThat(validate(List.of(written)).get(written)).allSatisfy(finding -> {
            assertThat(finding.isError()).as(finding.text()).isFalse();
            assertThat(finding.text()).contains("this bundle is using APIs which were deprecated");
        });
    }

    /** See the other one. */
    @Test
    void refuseNothingThatOurCheckTakesAtSomePlaces() throws IOException, InterruptedException {
        refuseNothingThatOurCheckTakes(9, 3);
    }

    /**
     * Fields and entries of the ClusterServiceVersion, of a definition and of the annotations are left out, or emptied. What is of
     * another type than it should be is for them alone to see.
     */
    @Test
    @Tag("slow")
    void refuseNothingThatOurCheckTakes() throws IOException, InterruptedException {
        refuseNothingThatOurCheckTakes(EVERY, 30 / EVERY);
    }

    private static void refuseNothingThatOurCheckTakes(int each, int atLeast) throws IOException, InterruptedException {
        Map<Path, String> changed = changed(each);
        List<String> refused = new ArrayList<>();
        List<String> refusedByThemAlone = new ArrayList<>();
        for (Map.Entry<Path, List<FrameworkValidator.Finding>> theirs :
                validate(List.copyOf(changed.keySet())).entrySet()) {
            String change = String.valueOf(changed.get(theirs.getKey()));
            List<String> errors = theirs.getValue().stream()
                    .filter(FrameworkValidator.Finding::isError)
                    .map(FrameworkValidator.Finding::text)
                    .toList();
            if (!errors.isEmpty()) {
                refused.add(change);
                if (BundleCheck.run(Bundle.read(theirs.getKey()), false).stream()
                        .noneMatch(BundleFinding::isError)) {
                    refusedByThemAlone.add(change + ": " + errors);
                }
            }
        }
        assertThat(refused).hasSizeGreaterThan(atLeast);
        assertThat(refusedByThemAlone).isEmpty();
    }

    /** Bundles with one change each, with what was changed; only each so and so many of those that are possible. */
    private static Map<Path, String> changed(int each) throws IOException {
        Map<Path, String> changed = new TreeMap<>();
        int number = 0;
        for (String file :
                List.of(CSV, "manifests/specialresources.sro.openshift.io.crd.yaml", "metadata/annotations.yaml")) {
            JsonNode tree = JSON.valueToTree(
                    Yaml.documents(file, Objects.requireNonNull(good.get(file))).get(0));
            List<String> places = new ArrayList<>();
            places("", tree, DEPTH, places);
            for (String place : places) {
                for (Change change : Change.values()) {
                    if (number++ % each == 0) {
                        Path bundle = folder.resolve("changed").resolve(each + "-" + number);
                        store(bundle, file, change.at(tree.deepCopy(), place).toString());
                        changed.put(bundle, file + ", " + place + " " + change);
                    }
                }
            }
        }
        return changed;
    }

    private static void store(Path bundle, String file, String text) throws IOException {
        for (Map.Entry<String, String> entry : good.entrySet()) {
            Path to = bundle.resolve(entry.getKey());
            Files.createDirectories(Objects.requireNonNull(to.getParent()));
            Files.writeString(to, entry.getKey().equals(file) ? text : entry.getValue());
        }
    }

    private enum Change {
        LEFT_OUT,
        EMPTIED;

        JsonNode at(JsonNode tree, String place) {
            int slash = place.lastIndexOf('/');
            JsonNode parent = tree.at(place.substring(0, slash));
            String name = place.substring(slash + 1).replace("~1", "/").replace("~0", "~");
            JsonNode old = tree.at(place);
            if (parent instanceof ObjectNode object) {
                if (this == LEFT_OUT) {
                    object.remove(name);
                } else {
                    object.set(name, empty(old));
                }
            } else if (parent instanceof ArrayNode array) {
                if (this == LEFT_OUT) {
                    array.remove(Integer.parseInt(name));
                } else {
                    array.set(Integer.parseInt(name), empty(old));
                }
            }
            return tree;
        }

        private static JsonNode empty(JsonNode old) {
            return switch (old.getNodeType()) {
                case OBJECT -> JSON.createObjectNode();
                case ARRAY -> JSON.createArrayNode();
                case STRING -> JSON.getNodeFactory().textNode("");
                default -> old;
            };
        }
    }

    /** JSON pointers to what is in a tree, down to some depth. */
    private static void places(String at, JsonNode tree, int depth, List<String> to) {
        if (depth == 0) {
            return;
        }
        tree.properties().forEach(field -> {
            String place = at + "/" + field.getKey().replace("~", "~0").replace("/", "~1");
            to.add(place);
            places(place, field.getValue(), depth - 1, to);
        });
        for (int i = 0; i < tree.size() && tree.isArray(); i++) {
            // One is as good as the next.
            if (i < 2) {
                to.add(at + "/" + i);
                places(at + "/" + i, tree.get(i), depth - 1, to);
            }
        }
    }
}

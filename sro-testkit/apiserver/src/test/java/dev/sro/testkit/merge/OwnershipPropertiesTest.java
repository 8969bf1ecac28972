package dev.sro.testkit.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.BuiltinTypes;
import dev.sro.testkit.schema.TypeSchema;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

class OwnershipPropertiesTest {
    private static final TypeSchema TYPE = BuiltinTypes.find("apps", "v1", "DaemonSet");
    private static final Instant TIME = Instant.parse("2026-03-01T00:00:00Z");

    private static ApplyResult apply(@Nullable ApplyResult live, String manager, ObjectNode config) {
        FieldWriter writer = new FieldWriter(manager, "apps/v1", "", TIME);
        ManagedFields fields = live == null ? ManagedFields.NONE : live.fields();
        return FieldOwnership.apply(TYPE, live == null ? null : live.object(), fields, config, Set.of(), writer, true);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.MIXIN)
    void applyingTwiceIsApplyingOnce(@ForAll("configs") ObjectNode other, @ForAll("configs") ObjectNode config) {
        ApplyResult once = apply(apply(null, "other", other), "one", config);
        ApplyResult twice = apply(once, "one", config);
        assertThat(twice.changed()).isFalse();
        assertThat(twice.fields()).isEqualTo(once.fields());
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.MIXIN)
    void applyingNothingGivesBackTheObjectOfTheOtherManager(
            @ForAll("configs") ObjectNode mine, @ForAll("configs") ObjectNode theirs) {
        ApplyResult alone = apply(null, "one", mine);
        ObjectNode different = renamed(theirs);
        ApplyResult both = apply(alone, "two", different);
        ApplyResult back =
                apply(both, "two", Trees.object("{apiVersion:'apps/v1',kind:'DaemonSet',metadata:{name:'a'}}"));
        assertThat(withoutNulls(back.object())).isEqualTo(withoutNulls(alone.object()));
        assertThat(back.fields()).isEqualTo(alone.fields());
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.MIXIN)
    void twoManagersOfDifferentFieldsMayComeInAnyOrder(
            @ForAll("configs") ObjectNode mine, @ForAll("configs") ObjectNode theirs) {
        ObjectNode different = renamed(theirs);
        ApplyResult oneTwo = apply(apply(null, "one", mine), "two", different);
        ApplyResult twoOne = apply(apply(null, "two", different), "one", mine);
        assertThat(oneTwo.fields()).isEqualTo(twoOne.fields());
        assertThat(TypedValues.fields(TYPE, oneTwo.object())).isEqualTo(TypedValues.fields(TYPE, twoOne.object()));
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.MIXIN)
    void fieldsReadWhatTheyPrint(@ForAll("configs") ObjectNode config) {
        FieldSet fields = TypedValues.fields(TYPE, config);
        assertThat(FieldSet.parse(fields.toJson())).isEqualTo(fields);
        ManagedFields managed = apply(null, "one", config).fields();
        assertThat(ManagedFields.parse(managed.toJson()).toJson()).isEqualTo(managed.toJson());
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.MIXIN)
    void setsKeepTheLawsOfSets(@ForAll("configs") ObjectNode x, @ForAll("configs") ObjectNode y) {
        FieldSet a = TypedValues.fields(TYPE, x);
        FieldSet b = TypedValues.fields(TYPE, y);
        assertThat(a.union(b)).isEqualTo(b.union(a));
        assertThat(a.minus(b).union(a.intersect(b))).isEqualTo(a);
        assertThat(a.minus(b).intersect(b).isEmpty()).isTrue();
        assertThat(a.union(b).minus(b)).isEqualTo(a.minus(b));
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.MIXIN)
    void aMergePatchOfTheDifferenceGivesTheTarget(
            @ForAll("configs") ObjectNode from, @ForAll("configs") ObjectNode to) {
        assertThat(MergePatch.apply(from, difference(from, to))).isEqualTo(to);
    }

    private static ObjectNode difference(ObjectNode from, ObjectNode to) {
        ObjectNode out = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> e : to.properties()) {
            JsonNode old = from.get(e.getKey());
            if (old instanceof ObjectNode o && e.getValue() instanceof ObjectNode n) {
                out.set(e.getKey(), difference(o, n));
            } else if (!e.getValue().equals(old)) {
                out.set(e.getKey(), e.getValue());
            }
        }
        from.fieldNames().forEachRemaining(name -> {
            if (!to.has(name)) {
                out.putNull(name);
            }
        });
        return out;
    }

    private static JsonNode withoutNulls(JsonNode node) {
        ObjectNode out = node.deepCopy();
        BuiltinTypes.decode(TYPE, out);
        return out;
    }

    /** The same shape with other labels, containers and tolerations: fields that no other configuration has. */
    private static ObjectNode renamed(ObjectNode config) {
        ObjectNode out =
                Trees.object(config.toString().replace("\"l-", "\"other-").replace("\"c-", "\"side-"));
        ((ObjectNode) out.at("/spec")).remove("minReadySeconds");
        ((ObjectNode) out.at("/spec/template/spec")).remove("tolerations");
        return out;
    }

    @Provide
    Arbitrary<ObjectNode> configs() {
        Arbitrary<String> word = Arbitraries.of("a", "b", "c", "d");
        Arbitrary<Map<String, String>> labels =
                Arbitraries.maps(word.map(w -> "l-" + w), word).ofMaxSize(3);
        Arbitrary<Set<String>> containers = word.map(w -> "c-" + w).set().ofMaxSize(3);
        Arbitrary<String> image = Arbitraries.of("i:1", "i:2");
        return Combinators.combine(
                        labels, containers, image, Arbitraries.integers().between(0, 2), word)
                .as(OwnershipPropertiesTest::config);
    }

    private static ObjectNode config(
            Map<String, String> labels, Set<String> containers, String image, int seconds, String toleration) {
        ObjectNode out = Trees.object("{apiVersion:'apps/v1',kind:'DaemonSet',metadata:{name:'a'},"
                + "spec:{template:{metadata:{},spec:{}}}}");
        ObjectNode spec = (ObjectNode) out.at("/spec");
        if (seconds > 0) {
            spec.put("minReadySeconds", seconds);
        }
        if (!labels.isEmpty()) {
            ObjectNode target = ((ObjectNode) out.at("/metadata")).putObject("labels");
            labels.forEach(target::put);
        }
        ObjectNode pod = (ObjectNode) out.at("/spec/template/spec");
        pod.putArray("tolerations").addObject().put("key", toleration);
        if (!containers.isEmpty()) {
            var list = pod.putArray("containers");
            containers.forEach(name -> list.addObject().put("name", name).put("image", image));
        }
        return out;
    }
}

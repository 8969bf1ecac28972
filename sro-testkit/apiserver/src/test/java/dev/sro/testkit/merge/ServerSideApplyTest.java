package dev.sro.testkit.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.BuiltinTypes;
import dev.sro.testkit.schema.CustomSchema;
import dev.sro.testkit.schema.TypeSchema;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ServerSideApplyTest {
    private static final TypeSchema CONFIG_MAP = BuiltinTypes.find("", "v1", "ConfigMap");
    private static final TypeSchema DAEMON_SET = BuiltinTypes.find("apps", "v1", "DaemonSet");
    private static final Instant START = Instant.parse("2026-03-01T00:00:00Z");

    /** One object on a server that does nothing but merge. */
    private static final class Live {
        private final TypeSchema type;
        private final String apiVersion;
        private final String kind;
        private @Nullable ObjectNode object;
        private ManagedFields fields = ManagedFields.NONE;
        private Instant now = START;

        Live(TypeSchema type, String apiVersion, String kind) {
            this.type = type;
            this.apiVersion = apiVersion;
            this.kind = kind;
        }

        private ObjectNode named(String content) {
            ObjectNode out = Trees.object(content);
            out.put("apiVersion", apiVersion).put("kind", kind);
            if (out.get("metadata") instanceof ObjectNode metadata) {
                metadata.put("name", "a");
            } else {
                out.putObject("metadata").put("name", "a");
            }
            return out;
        }

        private FieldWriter writer(String manager) {
            now = now.plusSeconds(1);
            return new FieldWriter(manager, apiVersion, "", now);
        }

        ApplyResult apply(String manager, String content) {
            return apply(manager, content, false);
        }

        ApplyResult apply(String manager, String content, boolean force) {
            ApplyResult result = FieldOwnership.apply(
                    type, object, fields, named(content), Set.of("status"), writer(manager), force);
            object = result.object();
            fields = result.fields();
            return result;
        }

        void put(String manager, String content) {
            ObjectNode next = named(content);
            fields = object == null
                    ? FieldOwnership.create(type, next, null, Set.of("status"), writer(manager))
                    : FieldOwnership.update(type, object, fields, next, null, Set.of("status"), writer(manager));
            object = next;
        }

        JsonNode content(String pointer) {
            return object == null ? Trees.json("null") : object.at(pointer);
        }

        JsonNode owned(String manager) {
            for (JsonNode entry : fields.toJson()) {
                if (entry.path("manager").asText().equals(manager)) {
                    return entry.path("fieldsV1");
                }
            }
            return Trees.json("null");
        }
    }

    private static Live configMap() {
        return new Live(CONFIG_MAP, "v1", "ConfigMap");
    }

    private static Live daemonSet() {
        return new Live(DAEMON_SET, "apps/v1", "DaemonSet");
    }

    @Test
    void removesWhatIsNoLongerAppliedAndKeepsWhatAnotherManagerOwns() {
        Live live = configMap();
        live.apply("one", "{data:{a:'1',b:'2'}}");
        live.apply("two", "{data:{b:'2'}}");
        live.apply("one", "{data:{}}");
        assertThat(live.content("/data")).isEqualTo(Trees.json("{b:'2'}"));
        assertThat(live.owned("two")).isEqualTo(Trees.json("{'f:data':{'f:b':{}}}"));
    }

    @Test
    void namesManagerAndFieldOfAConflict() {
        Live live = configMap();
        live.put("editor", "{data:{a:'1'}}");
        assertThatThrownBy(() -> live.apply("one", "{data:{a:'2'}}"))
                .isInstanceOfSatisfying(MergeException.class, e -> {
                    assertThat(e.code()).isEqualTo(409);
                    assertThat(e.reason()).isEqualTo("Conflict");
                    assertThat(e.getMessage())
                            .isEqualTo("Apply failed with 1 conflict: conflict with \"editor\" using v1: .data.a");
                    assertThat(e.causes())
                            .containsExactly(new MergeException.Cause(
                                    "FieldManagerConflict", "conflict with \"editor\" using v1", ".data.a"));
                });
        assertThat(live.content("/data/a").asText()).isEqualTo("1");
    }

    @Test
    void listsSeveralConflictsByManager() {
        Live live = configMap();
        live.apply("x", "{data:{b:'1',a:'1'}}");
        live.apply("w", "{data:{c:'1'}}");
        assertThatThrownBy(() -> live.apply("one", "{data:{a:'2',b:'2',c:'2'}}"))
                .hasMessage("Apply failed with 3 conflicts: conflicts with \"w\":\n- .data.c\nconflicts with \"x\":\n"
                        + "- .data.a\n- .data.b");
    }

    @Test
    void forceTakesTheFieldFromItsOwner() {
        Live live = configMap();
        live.apply("one", "{data:{a:'1',b:'1'}}");
        live.apply("two", "{data:{a:'2'}}", true);
        assertThat(live.content("/data/a").asText()).isEqualTo("2");
        assertThat(live.owned("one")).isEqualTo(Trees.json("{'f:data':{'f:b':{}}}"));
        assertThat(live.owned("two")).isEqualTo(Trees.json("{'f:data':{'f:a':{}}}"));
    }

    @Test
    void applyingTheSameAgainChangesNothingNotEvenTheTime() {
        Live live = daemonSet();
        String config = "{spec:{template:{spec:{containers:[{name:'c',image:'i'}],tolerations:[{key:'k'}]}}}}";
        live.apply("one", config);
        ObjectNode object = live.object;
        ManagedFields fields = live.fields;
        ApplyResult again = live.apply("one", config);
        assertThat(again.changed()).isFalse();
        assertThat(again.object()).isSameAs(object);
        assertThat(again.fields()).isSameAs(fields);
    }

    @Test
    void aSecondManagerOfEqualFieldsHasNoTimeBecauseItChangedNothing() {
        Live live = configMap();
        live.apply("one", "{data:{a:'1'}}");
        ApplyResult second = live.apply("two", "{data:{a:'1'}}");
        assertThat(second.changed()).isFalse();
        JsonNode entries = second.fields().toJson();
        assertThat(entries.at("/0/manager").asText()).isEqualTo("two");
        assertThat(entries.get(0).has("time")).isFalse();
        assertThat(entries.at("/1/time").asText()).isEqualTo("2026-03-01T00:00:01Z");
    }

    @Test
    void containersAreMergedByNameInTheOrderOfTheApplier() {
        Live live = daemonSet();
        live.apply("one", "{spec:{template:{spec:{containers:[{name:'a',image:'i'},{name:'b',image:'i'}]}}}}");
        live.apply("two", "{spec:{template:{spec:{containers:[{name:'side',image:'s'}]}}}}");
        live.apply("one", "{spec:{template:{spec:{containers:[{name:'b',image:'i'},{name:'a',image:'j'}]}}}}");
        assertThat(live.content("/spec/template/spec/containers"))
                .isEqualTo(Trees.json("[{name:'b',image:'i'},{name:'side',image:'s'},{name:'a',image:'j'}]"));
        assertThat(live.owned("two").at("/f:spec/f:template/f:spec/f:containers"))
                .isEqualTo(Trees.json("{'k:{\"name\":\"side\"}':{'.':{},'f:image':{},'f:name':{}}}"));
    }

    @Test
    void anotherOrderOfItemsIsAChangeThatNobodyOwns() {
        Live live = daemonSet();
        live.apply("one", "{spec:{template:{spec:{containers:[{name:'a'},{name:'b'}]}}}}");
        JsonNode owned = live.owned("one");
        ApplyResult turned = live.apply("one", "{spec:{template:{spec:{containers:[{name:'b'},{name:'a'}]}}}}");
        assertThat(turned.changed()).isTrue();
        assertThat(live.content("/spec/template/spec/containers")).isEqualTo(Trees.json("[{name:'b'},{name:'a'}]"));
        assertThat(live.owned("one")).isEqualTo(owned);
    }

    @Test
    void aPortWithoutProtocolIsTheTcpPort() {
        Live live = daemonSet();
        live.apply("one", "{spec:{template:{spec:{containers:[{name:'c',ports:[{containerPort:80,name:'h'}]}]}}}}");
        assertThatThrownBy(
                        () -> live.apply(
                                "two",
                                "{spec:{template:{spec:{containers:[{name:'c',ports:[{containerPort:80,protocol:'TCP',name:'x'}]}]}}}}"))
                .hasMessageEndingWith(
                        "conflict with \"one\": .spec.template.spec.containers[name=\"c\"].ports[containerPort=80,protocol=\"TCP\"].name");
    }

    @Test
    void atomicListsAndMapsConflictAsAWhole() {
        Live live = daemonSet();
        live.apply("one", "{spec:{template:{spec:{nodeSelector:{a:'b'},tolerations:[{key:'a'}]}}}}");
        assertThatThrownBy(() -> live.apply("two", "{spec:{template:{spec:{nodeSelector:{c:'d'}}}}}"))
                .hasMessageEndingWith(".spec.template.spec.nodeSelector");
        assertThatThrownBy(() -> live.apply("two", "{spec:{template:{spec:{tolerations:[{key:'b'}]}}}}"))
                .hasMessageEndingWith(".spec.template.spec.tolerations");
    }

    @Test
    void ownersAndFinalizersOfSeveralManagersAreUnited() {
        Live live = configMap();
        live.apply("one", "{metadata:{finalizers:['x/a'],ownerReferences:[{uid:'1',name:'p'}]}}");
        live.apply("two", "{metadata:{finalizers:['x/b'],ownerReferences:[{uid:'2',name:'q'}]}}");
        assertThat(live.content("/metadata/finalizers")).isEqualTo(Trees.json("['x/a','x/b']"));
        assertThat(live.content("/metadata/ownerReferences")).hasSize(2);
        live.apply("one", "{}");
        assertThat(live.content("/metadata/finalizers")).isEqualTo(Trees.json("['x/b']"));
    }

    @Test
    void anUpdateTakesTheFieldsThatItChangesAndNoOthers() {
        Live live = configMap();
        live.apply("one", "{data:{a:'1',b:'1'}}");
        live.put("editor", "{data:{a:'2',b:'1',c:'3'}}");
        assertThat(live.owned("one")).isEqualTo(Trees.json("{'f:data':{'f:b':{}}}"));
        assertThat(live.owned("editor")).isEqualTo(Trees.json("{'f:data':{'f:a':{},'f:c':{}}}"));
    }

    @Test
    void aCreateOwnsParentsAndLeavesButNotWhatTheServerWrites() {
        Live live = configMap();
        live.put("editor", "{metadata:{labels:{x:'y'},uid:'u',resourceVersion:'1'},data:{a:'1'}}");
        assertThat(live.owned("editor"))
                .isEqualTo(Trees.json("{'f:data':{'.':{},'f:a':{}},'f:metadata':{'f:labels':{'.':{},'f:x':{}}}}"));
    }

    @Test
    void theStatusIsNotOwnedThroughTheObjectItself() {
        Live live = daemonSet();
        live.apply("one", "{spec:{minReadySeconds:1},status:{numberReady:5}}");
        assertThat(live.owned("one")).isEqualTo(Trees.json("{'f:spec':{'f:minReadySeconds':{}}}"));
    }

    @Test
    void entriesCanBeResetAndTheNextApplyFindsAFormerOwner() {
        Live live = configMap();
        live.put("editor", "{metadata:{uid:'u'},data:{a:'1'}}");
        ObjectNode object = live.named("{metadata:{uid:'u'},data:{a:'1'}}");
        for (String reset : new String[] {"[]", "[{}]"}) {
            ManagedFields cleared = FieldOwnership.update(
                    CONFIG_MAP, object, live.fields, object, Trees.json(reset), Set.of(), live.writer("editor"));
            assertThat(cleared.isEmpty()).isTrue();
        }
        live.fields = ManagedFields.NONE;
        live.apply("one", "{data:{b:'1'}}");
        assertThat(live.owned("before-first-apply")).isEqualTo(Trees.json("{'f:data':{'.':{},'f:a':{}}}"));
    }

    @Test
    void brokenEntriesOfARequestAreIgnored() {
        Live live = configMap();
        live.apply("one", "{data:{a:'1'}}");
        ObjectNode same = live.object == null ? Trees.object("{}") : live.object;
        ManagedFields after = FieldOwnership.update(
                CONFIG_MAP,
                same,
                live.fields,
                same.deepCopy(),
                Trees.json("[{manager:'x',operation:'Bogus'}]"),
                Set.of(),
                live.writer("editor"));
        assertThat(after).isSameAs(live.fields);
    }

    @Test
    void unknownFieldsAndWrongTypesAreRefusedWithTheServersText() {
        assertThatThrownBy(() -> configMap().apply("one", "{bogus:1}"))
                .hasMessage(
                        "failed to create typed patch object (/a; /v1, Kind=ConfigMap): .bogus: field not declared in schema");
        assertThatThrownBy(() -> configMap().apply("one", "{data:{k:5}}"))
                .hasMessageEndingWith(".data.k: expected string, got &value.valueUnstructured{Value:5}");
        assertThatThrownBy(() -> daemonSet().apply("one", "{spec:{template:{spec:{containers:{name:'c'}}}}}"))
                .hasMessageEndingWith(".spec.template.spec.containers: expected list, got &{map[name:c]}");
    }

    @Test
    void itemsWithoutSchemaAreOneValueAndMapsAreMerged() {
        TypeSchema free = CustomSchema.compile(null).types();
        Live live = new Live(free, "x.io/v1", "Free");
        live.apply("one", "{spec:{a:{b:1},l:[{n:1}]}}");
        live.apply("two", "{spec:{a:{c:2}}}");
        assertThat(live.content("/spec/a")).isEqualTo(Trees.json("{b:1,c:2}"));
        assertThat(live.owned("one")).isEqualTo(Trees.json("{'f:spec':{'.':{},'f:a':{'.':{},'f:b':{}},'f:l':{}}}"));
        assertThatThrownBy(() -> live.apply("two", "{spec:{l:[{n:2}]}}")).hasMessageEndingWith(": .spec.l");
    }

    @Test
    void theOldestOfManyUpdatersAreMerged() {
        Live live = configMap();
        for (int i = 0; i < 14; i++) {
            StringBuilder data = new StringBuilder();
            for (int j = 0; j <= i; j++) {
                data.append(j == 0 ? "" : ",").append("k").append(j).append(":'v'");
            }
            live.put("m" + i, "{data:{" + data + "}}");
        }
        JsonNode entries = live.fields.toJson();
        assertThat(entries).hasSize(10);
        assertThat(live.owned("ancient-changes").path("f:data").size()).isGreaterThan(4);
        assertThat(live.owned("m13")).isEqualTo(Trees.json("{'f:data':{'f:k13':{}}}"));
    }
}

package dev.sro.testkit.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.schema.BuiltinTypes;
import dev.sro.testkit.schema.TypeSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatchTest {
    private static final TypeSchema POD = BuiltinTypes.find("", "v1", "Pod");
    private static final TypeSchema SERVICE = BuiltinTypes.find("", "v1", "Service");

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {a:1}            | [{op:'add',path:'/b',value:2}]                            | {a:1,b:2}
            {a:1}            | [{op:'add',path:'/a',value:2}]                            | {a:2}
            {a:[1,3]}        | [{op:'add',path:'/a/1',value:2}]                          | {a:[1,2,3]}
            {a:[1]}          | [{op:'add',path:'/a/-',value:2}]                          | {a:[1,2]}
            {a:{b:1}}        | [{op:'remove',path:'/a/b'}]                               | {a:{}}
            {a:[1,2]}        | [{op:'remove',path:'/a/0'}]                               | {a:[2]}
            {a:1}            | [{op:'replace',path:'/b',value:2}]                        | {a:1,b:2}
            {a:1,b:2}        | [{op:'move',from:'/a',path:'/c'}]                         | {b:2,c:1}
            {a:{x:1}}        | [{op:'copy',from:'/a',path:'/b'}]                         | {a:{x:1},b:{x:1}}
            {a:1}            | [{op:'test',path:'/a',value:1.0},{op:'remove',path:'/a'}] | {}
            {a:1}            | [{op:'test',path:'/b',value:null}]                        | {a:1}
            {'a/b':{'~':1}}  | [{op:'replace',path:'/a~1b/~0',value:2}]                  | {'a/b':{'~':2}}
            {a:1}            | [{op:'replace',path:'',value:{}}]                         | {}
            {a:1}            | []                                                        | {a:1}
            """)
    void jsonPatchFollowsTheStandard(String target, String patch, String expected) {
        ObjectNode before = Trees.object(target);
        assertThat(JsonPatch.apply(before, Trees.json(patch))).isEqualTo(Trees.json(expected));
        assertThat(before).isEqualTo(Trees.json(target));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            [{op:'remove',path:'/none'}]              | 422
            [{op:'add',path:'/none/x',value:1}]       | 422
            [{op:'move',from:'/none',path:'/b'}]      | 422
            [{op:'test',path:'/a',value:2}]           | 422
            [{op:'frob',path:'/a'}]                   | 422
            [{op:'add',value:1}]                      | 422
            [{path:'/a',value:1}]                     | 422
            [{op:'add',path:'/l/7',value:1}]          | 422
            {op:'add',path:'/a',value:1}              | 400
            """)
    void jsonPatchThatDoesNotFitIsRefused(String patch, int code) {
        assertThatThrownBy(() -> JsonPatch.apply(Trees.json("{a:1,l:[1]}"), Trees.json(patch)))
                .isInstanceOfSatisfying(
                        MergeException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {a:'b'}         | {a:'c'}             | {a:'c'}
            {a:'b'}         | {b:'c'}             | {a:'b',b:'c'}
            {a:'b'}         | {a:null}            | {}
            {a:['b']}       | {a:'c'}             | {a:'c'}
            {a:{b:'c'}}     | {a:{b:'d',c:null}}  | {a:{b:'d'}}
            {a:[{b:'c'}]}   | {a:[1]}             | {a:[1]}
            {e:null}        | {a:1}               | {e:null,a:1}
            {}              | {a:{bb:{ccc:null}}} | {a:{bb:{}}}
            """)
    void mergePatchFollowsTheStandard(String target, String patch, String expected) {
        assertThat(MergePatch.apply(Trees.json(target), Trees.json(patch))).isEqualTo(Trees.json(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {containers:[{name:'a',image:'1'},{name:'b'}]} | {containers:[{name:'a',image:'2'}]}                     | {containers:[{name:'a',image:'2'},{name:'b'}]}
            {containers:[{name:'a'},{name:'b'}]}           | {containers:[{name:'n'}]}                               | {containers:[{name:'n'},{name:'a'},{name:'b'}]}
            {containers:[{name:'a'},{name:'b'}]}           | {containers:[{name:'a','$patch':'delete'}]}             | {containers:[{name:'b'}]}
            {containers:[{name:'a'},{name:'b'}]}           | {containers:[{'$patch':'replace'},{name:'c'}]}          | {containers:[{name:'c'}]}
            {containers:[{name:'a'},{name:'b'}]}           | {'$setElementOrder/containers':[{name:'b'},{name:'a'}]} | {containers:[{name:'b'},{name:'a'}]}
            {nodeSelector:{a:'b'}}                         | {nodeSelector:{c:'d'}}                                  | {nodeSelector:{a:'b',c:'d'}}
            {nodeSelector:{a:'b'}}                         | {nodeSelector:{'$patch':'replace',c:'d'}}               | {nodeSelector:{c:'d'}}
            {nodeSelector:{a:'b'}}                         | {nodeSelector:null}                                     | {}
            {tolerations:[{key:'a'}]}                      | {tolerations:[{key:'b'}]}                               | {tolerations:[{key:'b'}]}
            {volumes:[{name:'v',emptyDir:{}}]}             | {volumes:[{name:'v','$retainKeys':['name','hostPath'],hostPath:{path:'/x'}}]} | {volumes:[{name:'v',hostPath:{path:'/x'}}]}
            {containers:[{name:'a',env:[{name:'X',value:'1'},{name:'Y'}]}]} | {containers:[{name:'a',env:[{name:'X','$patch':'delete'}]}]} | {containers:[{name:'a',env:[{name:'Y'}]}]}
            """)
    void strategicMergePatchKnowsTheListsOfPods(String target, String patch, String expected) {
        ObjectNode before = Trees.object("{spec:" + target + "}");
        ObjectNode after = StrategicMergePatch.apply(before, Trees.object("{spec:" + patch + "}"), POD);
        assertThat(after.get("spec")).isEqualTo(Trees.json(expected));
        assertThat(before.get("spec")).isEqualTo(Trees.json(target));
    }

    @Test
    void finalizersAreASet() {
        ObjectNode before = Trees.object("{metadata:{finalizers:['x/a']}}");
        ObjectNode added = StrategicMergePatch.apply(before, Trees.object("{metadata:{finalizers:['x/b']}}"), POD);
        assertThat(added.at("/metadata/finalizers")).isEqualTo(Trees.json("['x/b','x/a']"));
        ObjectNode removed = StrategicMergePatch.apply(
                added, Trees.object("{metadata:{'$deleteFromPrimitiveList/finalizers':['x/b']}}"), POD);
        assertThat(removed.at("/metadata/finalizers")).isEqualTo(Trees.json("['x/a']"));
    }

    @Test
    void portsOfAServiceAreMergedByPort() {
        ObjectNode after = StrategicMergePatch.apply(
                Trees.object("{spec:{ports:[{port:80,name:'a'},{port:81,name:'b'}]}}"),
                Trees.object("{spec:{ports:[{port:81,targetPort:9}]}}"),
                SERVICE);
        assertThat(after.at("/spec/ports"))
                .isEqualTo(Trees.json("[{port:80,name:'a'},{port:81,name:'b',targetPort:9}]"));
    }

    @Test
    void directivesThatDoNotFitAreRefused() {
        ObjectNode pod = Trees.object("{spec:{containers:[{name:'a'}]}}");
        assertThatThrownBy(() -> StrategicMergePatch.apply(pod, Trees.object("{spec:{containers:[{image:'x'}]}}"), POD))
                .hasMessage("map: map[image:x] does not contain declared merge key: name");
        assertThatThrownBy(() -> StrategicMergePatch.apply(
                        pod, Trees.object("{spec:{containers:[{name:'a','$patch':'frob'}]}}"), POD))
                .hasMessage("unknown patch type: frob in map: map[$patch:frob name:a]");
    }
}

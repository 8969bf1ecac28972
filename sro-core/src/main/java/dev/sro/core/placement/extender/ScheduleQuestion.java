package dev.sro.core.placement.extender;

import dev.sro.core.placement.NodeNameList;
import dev.sro.core.placement.SliceDemand;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code ExtenderArgs} of {@code k8s.io/kube-scheduler/extender/v1}: a pod, and nodes by name or as objects. Keys are Go's names, in any case. Not
 * thread-safe.
 */
final class ScheduleQuestion {
    private final byte[] body;
    private final @Nullable KnownNames expected;
    private final JsonCursor cursor;
    private int podFrom;
    private int podTo;
    private String uid = "";
    private String version = "";
    private @Nullable NodeNameList names;
    private @Nullable NodeNameList ofObjects;

    private ScheduleQuestion(byte[] body, @Nullable KnownNames expected) {
        this.body = body;
        this.expected = expected;
        this.cursor = new JsonCursor(body);
    }

    /**
     * Reads one.
     *
     * @param body nobody may write to it any more
     * @param expected names that are likely to be asked about; null if there are none
     * @throws IllegalArgumentException if the body is no JSON object
     */
    static ScheduleQuestion read(byte[] body, @Nullable KnownNames expected) {
        ScheduleQuestion question = new ScheduleQuestion(body, expected);
        question.cursor.object(question::field);
        return question;
    }

    private void field(String key) {
        switch (key) {
            case "pod" -> {
                if (cursor.isObject()) {
                    podFrom = cursor.at();
                    cursor.object(this::podField);
                    podTo = cursor.at();
                }
            }
            case "nodenames" -> {
                if (cursor.isArray()) {
                    names = names();
                }
            }
            case "nodes" -> {
                if (cursor.isObject()) {
                    ofObjects = objects();
                }
            }
            default -> {}
        }
    }

    private void podField(String key) {
        if (key.equals("metadata") && cursor.isObject()) {
            cursor.object(field -> {
                if (field.equals("uid")) {
                    uid = cursor.stringOrEmpty();
                } else if (field.equals("resourceversion")) {
                    version = cursor.stringOrEmpty();
                }
            });
        }
    }

    private NodeNameList names() {
        KnownNames known = expected;
        if (known != null && known.isAt(body, cursor.at())) {
            cursor.jumpTo(cursor.at() + known.length());
            return known.names();
        }
        Optional<NodeNameList> plain = NodeNameList.read(body, cursor.at());
        if (plain.isPresent()) {
            cursor.jumpTo(plain.get().end());
            return plain.get();
        }
        List<String> names = new ArrayList<>();
        cursor.array(() -> names.add(cursor.stringOrEmpty()));
        return NodeNameList.of(names);
    }

    private NodeNameList objects() {
        List<String> names = new ArrayList<>();
        cursor.object(list -> {
            if (list.equals("items") && cursor.isArray()) {
                cursor.array(() -> names.add(nameOfObject()));
            }
        });
        return NodeNameList.of(names);
    }

    private String nameOfObject() {
        String[] name = {""};
        cursor.object(part -> {
            if (part.equals("metadata") && cursor.isObject()) {
                cursor.object(field -> {
                    if (field.equals("name")) {
                        name[0] = cursor.stringOrEmpty();
                    }
                });
            }
        });
        return name[0];
    }

    /** By name where the scheduler knows that names will do, else those of the objects. */
    NodeNameList nodes() {
        if (names != null) {
            return names;
        }
        return ofObjects == null ? NodeNameList.of(List.of()) : ofObjects;
    }

    /**
     * What the pod asks for; empty if it asks for no slices.
     *
     * @throws IllegalArgumentException if there is no pod, or if it asks for what nobody can give
     */
    Optional<SliceDemand> demand(PodDemands demands) {
        if (podTo == podFrom) {
            throw new IllegalArgumentException("the request has no Pod");
        }
        Optional<SliceDemand> known =
                uid.isEmpty() || version.isEmpty() ? Optional.empty() : demands.known(uid, version);
        return known.isPresent()
                ? known
                : demands.read(new String(body, podFrom, podTo - podFrom, StandardCharsets.UTF_8));
    }
}

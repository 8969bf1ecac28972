package dev.sro.testkit.server;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The rules per type, made when they are first needed. Thread-safe. */
final class RuleBook {
    private final Map<Gvr, TypeRules> rules = new ConcurrentHashMap<>();
    private final KindHooks hooks;

    RuleBook(KindHooks hooks) {
        this.hooks = hooks;
    }

    TypeRules of(ResourceType type) {
        TypeRules known = rules.get(type.gvr());
        return known != null ? known : rules.computeIfAbsent(type.gvr(), g -> new BuiltInRules(type, hooks));
    }

    void set(Gvr type, TypeRules custom) {
        rules.put(type, custom);
    }

    void remove(Gvr type) {
        rules.remove(type);
    }
}

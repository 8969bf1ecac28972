package dev.sro.core.release;

import dev.sro.core.manifest.DesiredHook;
import dev.sro.core.manifest.HookEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The names under which hooks are recorded: event, state, kind and name. Stateless. */
public final class HookKeys {

    private HookKeys() {}

    /** The hooks by their keys, in the order given; a second one of the same name gets a number. */
    public static Map<String, DesiredHook> assign(HookEvent event, List<DesiredHook> hooks) {
        Map<String, DesiredHook> byKey = new LinkedHashMap<>();
        for (DesiredHook hook : hooks) {
            String key = event.word() + "/" + hook.state() + "/"
                    + hook.object().ref().kind() + "/" + hook.object().ref().name();
            String free = key;
            for (int i = 2; byKey.containsKey(free); i++) {
                free = key + "#" + i;
            }
            byKey.put(free, hook);
        }
        return byKey;
    }
}

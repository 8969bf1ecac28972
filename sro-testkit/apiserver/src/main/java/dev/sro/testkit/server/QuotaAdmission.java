package dev.sro.testkit.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.testkit.quota.Amounts;
import dev.sro.testkit.quota.PodUsage;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what would take more of a ResourceQuota than it has ({@code ResourceQuota}). A quota counts from when its controller has taken
 * it up. Called with the store's lock held.
 */
final class QuotaAdmission implements AdmissionPlugin {
    private final NamespaceQuotas quotas;

    QuotaAdmission(NamespaceQuotas quotas) {
        this.quotas = quotas;
    }

    @Override
    public void validate(WriteCall call, ObjectNode object, @Nullable Stored old) {
        if (call.namespace == null || quotas.isEmpty() || !call.subresource.isEmpty()) {
            return;
        }
        for (Stored quota : List.copyOf(quotas.of(call.namespace))) {
            check(call, object, old, call.namespace, quota.object());
        }
    }

    private void check(WriteCall call, ObjectNode object, @Nullable Stored old, String namespace, ObjectNode quota) {
        SortedMap<String, String> hard = Amounts.of(quota.path("status").path("hard"));
        Gvr type = call.type.storage();
        SortedMap<String, String> requested = quotas.usage(type, object, quota);
        if (requested.isEmpty()) {
            return;
        }
        requested.keySet().retainAll(hard.keySet());
        if (type.equals(Gvr.PODS) && old == null) {
            said(call, object.path("spec"), Json.name(quota), hard);
        }
        SortedMap<String, String> before = old == null ? new TreeMap<>() : quotas.usage(type, old.object(), quota);
        requested
                .entrySet()
                .removeIf(entry -> !Amounts.isMore(entry.getValue(), before.getOrDefault(entry.getKey(), "0")));
        if (requested.isEmpty()) {
            return;
        }
        SortedMap<String, String> used = quotas.used(namespace, quota);
        SortedMap<String, String> more = Amounts.difference(requested, before);
        SortedMap<String, String> total = new TreeMap<>(used);
        Amounts.add(total, more);
        List<String> exceeded = more.keySet().stream()
                .filter(name -> Amounts.isMore(total.getOrDefault(name, "0"), hard.getOrDefault(name, "0")))
                .toList();
        if (!exceeded.isEmpty()) {
            throw Errors.forbidden(
                    call.gvr(),
                    call.name,
                    "exceeded quota: " + Json.name(quota) + ", requested: " + Amounts.shown(more, exceeded) + ", used: "
                            + Amounts.shown(used, exceeded) + ", limited: " + Amounts.shown(hard, exceeded));
        }
    }

    private static void said(WriteCall call, JsonNode spec, String quota, SortedMap<String, String> hard) {
        String unsaid = PodUsage.unsaid(spec, hard.keySet());
        if (!unsaid.isEmpty()) {
            throw Errors.forbidden(call.gvr(), call.name, "failed quota: " + quota + ": must specify " + unsaid);
        }
    }
}

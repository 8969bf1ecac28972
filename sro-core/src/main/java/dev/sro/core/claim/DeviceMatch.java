package dev.sro.core.claim;

import dev.sro.core.cel.CelException;
import dev.sro.core.cel.CelExpr;
import dev.sro.core.cel.CelInterpreter;
import dev.sro.core.cel.CelParser;
import dev.sro.core.cel.CelSemver;
import dev.sro.core.cel.CelValues;
import io.fabric8.kubernetes.api.model.resource.v1.Device;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceAttribute;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Selectors of devices, as a scheduler reads them. A device for which one has no value is not selected. For one request. */
public final class DeviceMatch {
    private static final long MOST_STEPS = 1_000_000;

    private final List<CelExpr> expressions = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    /** For all of these selectors together. */
    public DeviceMatch(List<String> selectors) {
        for (String selector : selectors) {
            try {
                expressions.add(CelParser.parseWithBindings(selector));
            } catch (CelException e) {
                faults.add("the selector \"" + selector + "\" cannot be read: " + e.getMessage());
            }
        }
    }

    /** What is wrong with the selectors. */
    public List<String> faults() {
        return faults;
    }

    /** Whether all of them select a device. */
    public boolean selects(String driver, Device device) {
        Map<String, @Nullable Object> variables = Map.of("device", value(driver, device));
        try {
            for (CelExpr expression : expressions) {
                if (!Boolean.TRUE.equals(new CelInterpreter(variables, MOST_STEPS).value(expression))) {
                    return false;
                }
            }
            return faults.isEmpty();
        } catch (CelException | ClassCastException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private static Object value(String driver, Device device) {
        Map<Object, @Nullable Object> value = new HashMap<>();
        value.put("driver", driver);
        value.put("allowMultipleAllocations", Boolean.TRUE.equals(device.getAllowMultipleAllocations()));
        Domains attributes = new Domains();
        if (device.getAttributes() != null) {
            device.getAttributes().forEach((name, attribute) -> attributes.add(driver, name, value(attribute)));
        }
        Domains capacity = new Domains();
        if (device.getCapacity() != null) {
            device.getCapacity()
                    .forEach((name, amount) -> capacity.add(
                            driver,
                            name,
                            new CelValues.Quantity(amount.getValue().getNumericalAmount())));
        }
        value.put("attributes", attributes);
        value.put("capacity", capacity);
        return value;
    }

    private static Object value(DeviceAttribute attribute) {
        if (attribute.getInt() != null) {
            return attribute.getInt();
        }
        if (attribute.getBool() != null) {
            return attribute.getBool();
        }
        if (attribute.getString() != null) {
            return attribute.getString();
        }
        return attribute.getVersion() == null
                ? ""
                : CelSemver.parse(attribute.getVersion())
                        .<Object>map(version -> version)
                        .orElse("");
    }

    /** What is known by domain; a domain that is not there has nothing in it. */
    private static final class Domains extends HashMap<Object, @Nullable Object> {
        private static final long serialVersionUID = 1;

        void add(String driver, String name, Object value) {
            int slash = name.indexOf('/');
            String domain = slash < 0 ? driver : name.substring(0, slash);
            @SuppressWarnings("unchecked")
            Map<Object, Object> inner = (Map<Object, Object>) computeIfAbsent(domain, d -> new HashMap<>());
            if (inner != null) {
                inner.put(name.substring(slash + 1), value);
            }
        }

        @Override
        public boolean containsKey(@Nullable Object key) {
            return true;
        }

        @Override
        public @Nullable Object get(@Nullable Object key) {
            return getOrDefault(key, Collections.emptyMap());
        }

        @Override
        public @Nullable Object getOrDefault(@Nullable Object key, @Nullable Object other) {
            Object value = super.get(key);
            return value == null ? other : value;
        }
    }
}

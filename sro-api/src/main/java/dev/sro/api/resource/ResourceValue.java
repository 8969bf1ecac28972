package dev.sro.api.resource;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Common part of all parts of a special resource: equality by value, and fields that this version does not know are kept.
 *
 * <p>JSON goes by field, not by getter. So an absent list stays absent while its getter returns an empty one, and a list that is
 * present and empty stays that. The two are equal, as are an absent text and an empty one: they say the same, and which of them an API
 * server keeps, or whoever wrote before, is nobody's business. To write the one over the other would change nothing, for ever.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE,
        setterVisibility = Visibility.NONE)
abstract class ResourceValue implements Serializable {
    /** Properties of a class, which do not change: those of its parents first, as they are declared. */
    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> type) {
            List<Field> fields = new ArrayList<>();
            for (Class<?> one = type; one != null && one != ResourceValue.class; one = one.getSuperclass()) {
                List<Field> own = Stream.of(one.getDeclaredFields())
                        .filter(field -> !Modifier.isStatic(field.getModifiers()) && !field.isSynthetic())
                        .toList();
                own.forEach(field -> field.setAccessible(true));
                fields.addAll(0, own);
            }
            return List.copyOf(fields);
        }
    };

    @JsonIgnore
    private final Map<String, @Nullable Object> additionalProperties = new LinkedHashMap<>();

    /** Returns the fields that this version does not know, by name. */
    @JsonAnyGetter
    public final Map<String, @Nullable Object> getAdditionalProperties() {
        return additionalProperties;
    }

    /** Sets a field that this version does not know. */
    @JsonAnySetter
    public final void setAdditionalProperty(String name, @Nullable Object value) {
        additionalProperties.put(name, value);
    }

    /** The fields that make up the value, always in the same order. */
    private List<@Nullable Object> values() {
        List<@Nullable Object> values = new ArrayList<>();
        for (Field field : FIELDS.get(getClass())) {
            try {
                values.add(field.get(this));
            } catch (IllegalAccessException e) {
                throw new IllegalStateException(field + " was made accessible", e);
            }
        }
        return values;
    }

    static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }

    static <T> List<T> orEmpty(@Nullable List<T> value) {
        return value == null ? List.of() : value;
    }

    static <V> Map<String, V> orEmpty(@Nullable Map<String, V> value) {
        return value == null ? Map.of() : value;
    }

    @Override
    public final boolean equals(@Nullable Object other) {
        return other != null
                && getClass() == other.getClass()
                && saySame(values(), ((ResourceValue) other).values())
                && additionalProperties.equals(((ResourceValue) other).additionalProperties);
    }

    private static boolean saySame(List<@Nullable Object> these, List<@Nullable Object> those) {
        for (int i = 0; i < these.size(); i++) {
            Object one = these.get(i);
            Object other = those.get(i);
            if (!Objects.equals(one, other) && !(saysNothing(one) && saysNothing(other))) {
                return false;
            }
        }
        return true;
    }

    private static boolean saysNothing(@Nullable Object value) {
        return value == null
                || value.equals("")
                || (value instanceof Collection<?> list && list.isEmpty())
                || (value instanceof Map<?, ?> map && map.isEmpty());
    }

    @Override
    public final int hashCode() {
        int hash = additionalProperties.hashCode();
        for (Object value : values()) {
            hash = 31 * hash + (saysNothing(value) ? 0 : Objects.hashCode(value));
        }
        return hash;
    }

    @Override
    public String toString() {
        return getClass().getSimpleName() + values();
    }
}

package dev.sro.api.contract;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.sro.api.AcceleratorPlugin;
import dev.sro.api.Experimental;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What others can compile against, a line for each type and each member: names, types, modifiers, what may be null. Members that a
 * public type has from one that is not (the builders of Immutables) count as its own. Stateless.
 */
final class Signatures {

    private static final Set<String> OF_ALL = Set.of("equals", "hashCode", "toString");

    private Signatures() {}

    /** The public types of the contract, nested ones, too. */
    static List<Class<?>> types() {
        CodeSource contract = AcceleratorPlugin.class.getProtectionDomain().getCodeSource();
        return new ClassFileImporter()
                .importPackagesOf(AcceleratorPlugin.class).stream()
                        .<Class<?>>map(JavaClass::reflect)
                        .filter(type ->
                                contract.equals(type.getProtectionDomain().getCodeSource()))
                        .filter(Signatures::isAccessible)
                        .sorted(Comparator.comparing(Class::getName))
                        .toList();
    }

    /** All lines of a type; that of the type itself begins with its name and a space. */
    static SortedSet<String> of(Class<?> type) {
        SortedSet<String> lines = new TreeSet<>();
        String name = type.getCanonicalName();
        lines.add(name + " " + header(type) + experimental(type));
        Stream.of(type.getFields())
                .filter(field -> type.equals(field.getDeclaringClass()))
                .forEach(field -> lines.add(name + "#" + field(type, field)));
        Stream.of(type.getMethods())
                .filter(method -> !method.isBridge() && !method.isSynthetic() && !OF_ALL.contains(method.getName()))
                .filter(method -> type.equals(method.getDeclaringClass()) || isOpaque(method.getDeclaringClass()))
                .forEach(method -> lines.add(name + "#" + method(type, method)));
        Stream.of(type.getConstructors())
                .forEach(
                        constructor -> lines.add(name + "#new(" + parameters(constructor) + ")" + thrown(constructor)));
        return lines;
    }

    /** Whether whoever compiles against the contract sees it. */
    private static boolean isAccessible(Class<?> type) {
        for (Class<?> one = type; one != null; one = one.getEnclosingClass()) {
            if (!Modifier.isPublic(one.getModifiers()) || one.isAnonymousClass() || one.isLocalClass()) {
                return false;
            }
        }
        return true;
    }

    /** A type of the contract that nobody can name: what it gives to a public one belongs to that one. */
    private static boolean isOpaque(Class<?> declaring) {
        return declaring.getName().startsWith("dev.sro.") && !isAccessible(declaring);
    }

    private static String header(Class<?> type) {
        StringBuilder text = new StringBuilder(kind(type));
        if (type.isSealed()) {
            text.insert(0, "sealed ");
        }
        if (Modifier.isAbstract(type.getModifiers()) && !type.isInterface()) {
            text.insert(0, "abstract ");
        }
        if (Modifier.isFinal(type.getModifiers()) && !type.isRecord() && !type.isEnum()) {
            text.insert(0, "final ");
        }
        if (type.getTypeParameters().length > 0) {
            text.append(' ').append(Arrays.toString(type.getTypeParameters()));
        }
        Class<?> parent = type.getSuperclass();
        if (parent != null
                && isAccessible(parent)
                && !List.of(Object.class, Record.class, Enum.class).contains(parent)) {
            text.append(" extends ").append(type.getGenericSuperclass().getTypeName());
        }
        String interfaces = withOpaqueParents(type)
                .flatMap(one -> Stream.of(one.getGenericInterfaces()))
                .map(Type::getTypeName)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!interfaces.isEmpty()) {
            text.append(" implements ").append(interfaces);
        }
        if (type.isRecord()) {
            text.append(Stream.of(type.getRecordComponents())
                    .map(one -> type(one.getAnnotatedType()) + " " + one.getName())
                    .collect(Collectors.joining(", ", " (", ")")));
        }
        if (type.isSealed()) {
            // A new case is one that nobody handles yet.
            text.append(Stream.of(type.getPermittedSubclasses())
                    .map(Class::getSimpleName)
                    .sorted()
                    .collect(Collectors.joining(", ", " permits ", "")));
        }
        return text.toString();
    }

    private static Stream<Class<?>> withOpaqueParents(Class<?> type) {
        return Stream.iterate(
                type, one -> one != null && (one.equals(type) || isOpaque(one)), one -> one.getSuperclass());
    }

    private static String kind(Class<?> type) {
        if (type.isAnnotation()) {
            return "annotation";
        }
        if (type.isInterface()) {
            return "interface";
        }
        if (type.isEnum()) {
            return "enum";
        }
        return type.isRecord() ? "record" : "class";
    }

    private static String field(Class<?> type, Field field) {
        if (field.isEnumConstant()) {
            return field.getName() + " constant";
        }
        String modifiers = Modifier.toString(field.getModifiers() & ~Modifier.PUBLIC);
        return field.getName() + " " + type(field.getAnnotatedType()) + " " + modifiers + value(type, field);
    }

    /** Constants are copied into the class files of those who use them. */
    private static String value(Class<?> type, Field field) {
        if (!Modifier.isStatic(field.getModifiers())
                || !(field.getType().isPrimitive() || field.getType() == String.class)) {
            return "";
        }
        try {
            return " = " + field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(type + "." + field.getName(), e);
        }
    }

    private static String method(Class<?> type, Method method) {
        StringBuilder text = new StringBuilder(method.getName());
        text.append('(').append(parameters(method)).append(") ").append(type(method.getAnnotatedReturnType()));
        // Nobody extends a final type, so that it does not matter there.
        boolean extensible = !Modifier.isFinal(type.getModifiers());
        int kept = extensible ? Modifier.STATIC | Modifier.ABSTRACT | Modifier.FINAL : Modifier.STATIC;
        String modifiers = Modifier.toString(method.getModifiers() & kept);
        if (!modifiers.isEmpty()) {
            text.append(' ').append(modifiers);
        }
        if (method.isDefault()) {
            text.append(" default");
        }
        return text + thrown(method) + experimental(method);
    }

    private static String parameters(Executable executable) {
        return Stream.of(executable.getAnnotatedParameterTypes())
                .map(Signatures::type)
                .collect(Collectors.joining(", "));
    }

    private static String thrown(Executable executable) {
        String thrown = Stream.of(executable.getExceptionTypes())
                .filter(one -> !RuntimeException.class.isAssignableFrom(one))
                .map(Class::getName)
                .sorted()
                .collect(Collectors.joining(", "));
        return thrown.isEmpty() ? "" : " throws " + thrown;
    }

    private static String type(AnnotatedType type) {
        return (type.isAnnotationPresent(Nullable.class) ? "@Nullable " : "")
                + type.getType().getTypeName();
    }

    private static String experimental(AnnotatedElement element) {
        return element.isAnnotationPresent(Experimental.class) ? " experimental" : "";
    }
}

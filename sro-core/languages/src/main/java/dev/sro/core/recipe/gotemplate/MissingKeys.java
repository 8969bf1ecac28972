package dev.sro.core.recipe.gotemplate;

/** What a key means that a map does not have; {@code missingkey} of Go. */
public enum MissingKeys {
    /** No value: printed as {@code <no value>}, and so are its fields. Go's default. */
    NO_VALUE,
    /** Nil, and nil is printed as nothing; an error where a field of it is read. As Helm has it. */
    EMPTY,
    /** An error. */
    ERROR
}

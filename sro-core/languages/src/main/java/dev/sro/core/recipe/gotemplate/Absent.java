package dev.sro.core.recipe.gotemplate;

/** What is no value, not even nil. */
enum Absent {
    /** What a missing key or a pipeline of nil gives. Functions see nil. */
    NO_VALUE,
    /** Nothing is piped into a command. */
    NO_INPUT
}

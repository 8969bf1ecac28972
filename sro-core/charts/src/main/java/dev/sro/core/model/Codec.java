package dev.sro.core.model;

import java.util.Map;

/** Turns typed objects of the fabric8 model into trees and back. Implementations are thread-safe. */
public interface Codec {

    /** The object as a tree of maps, lists and scalars. */
    Map<String, Object> toTree(Object typed);

    /** The tree as an object of this type. */
    <T> T fromTree(Map<String, ?> tree, Class<T> type);
}

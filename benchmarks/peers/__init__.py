"""The same answers through other programs that cite, judged by DESIGN's rules as a client would read them."""

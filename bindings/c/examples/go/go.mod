module roadwire.example/convert

go 1.21
